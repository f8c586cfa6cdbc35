import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBundle } from "./bundle.ts";

let folder: string;
const hashes = { amd64: "a".repeat(64), arm64: "b".repeat(64) };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-bundle-"));
  await writeFile(join(folder, "hashes.json"), JSON.stringify(hashes));
  for (const name of Object.keys(hashes)) await writeFile(join(folder, `sshd-bundle-${name}.tar.gz`), name);
});
afterAll(() => rm(folder, { recursive: true }));

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
