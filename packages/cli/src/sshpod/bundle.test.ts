import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { beforeAll, describe, expect, it } from "vitest";
import { fileInTar, findBundle, sumsOf } from "./bundle.ts";

const folder = temporaryFolder();
const hashes = { amd64: "a".repeat(64), arm64: "b".repeat(64) };

beforeAll(async () => {
  await writeFile(join(folder, "hashes.json"), JSON.stringify(hashes));
  for (const name of Object.keys(hashes)) await writeFile(join(folder, `sshd-bundle-${name}.tar.gz`), name);
});

describe("findBundle", () => {
  it.each([
    ["x86_64", "amd64"],
    ["amd64", "amd64"],
    ["aarch64", "arm64"],
    ["arm64", "arm64"],
  ] as const)("brings %s the archive for %s", async (machine, architecture) => {
    const bundle = await findBundle(folder, machine);
    expect(bundle.hash).toBe(hashes[architecture].slice(0, 16));
    expect((await bundle.read()).toString()).toBe(architecture);
  });

  it("refuses a machine for which there is no archive, and an installation without one", async () => {
    await expect(findBundle(folder, "riscv64")).rejects.toThrow(
      "the container runs on a riscv64 machine; sshpod brings sshd for amd64 (x86_64) and arm64 (aarch64) only",
    );
    const nowhere = join(folder, "nowhere");
    await expect(findBundle(nowhere, "aarch64")).rejects.toThrow(
      `the sshd archive for arm64 is not in ${nowhere}; install the released package, since one packed with --only npm has none, or name a folder that holds it with DRAWBRIDGE_SSHD_BUNDLE`,
    );
  });
});

it("takes a file out of an archive", async () => {
  const entry = (name: string, content: Buffer) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
  };
  const busybox = Buffer.from("b".repeat(700));
  const archive = gzipSync(
    Buffer.concat([entry("./bin/a", Buffer.from("x")), entry("bin/busybox", busybox), Buffer.alloc(1024)]),
  );
  const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(hash(await fileInTar(archive, "bin/busybox"))).toBe(hash(busybox));
  expect(await sumsOf(archive, "bin")).toBe(`${hash(Buffer.from("x"))}  a\n${hash(busybox)}  busybox`);
  await expect(fileInTar(archive, "bin/none")).rejects.toThrow("the sshd archive holds no bin/none");
});
