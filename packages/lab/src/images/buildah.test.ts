import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildArguments, fillContext, sourceFiles, sourceInputs, storageDriver } from "./buildah.ts";

describe("a build context", () => {
  const recipe = { folder: "images/frp", sources: ["images/sshd", "app/package.json"] };
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "drawbridge-context-"));
    await write("images/frp/Dockerfile", "FROM scratch\n");
    await write("images/frp/bin/left-over", "by hand");
    await write("images/sshd/start", "#!/bin/sh\n");
    await write("images/dufs/Dockerfile", "FROM scratch\n");
    await write("app/package.json", "{}\n");
    await write("app/other.json", "{}\n");
  });

  afterEach(() => rm(root, { recursive: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }

  test("a recipe's sources are its folder and what it names, without what was built by hand", async () => {
    expect(await sourceFiles(recipe, root)).toEqual([
      "app/package.json",
      "images/frp/Dockerfile",
      "images/sshd/start",
    ]);
  });

  test("the inputs change with a file's name, mode and content, and with nothing else", async () => {
    const before = await sourceInputs(recipe, root);
    expect(before).toEqual([
      "app/package.json -\n{}\n",
      "images/frp/Dockerfile -\nFROM scratch\n",
      "images/sshd/start -\n#!/bin/sh\n",
    ]);
    await write("images/frp/bin/left-over", "changed");
    await write("images/dufs/Dockerfile", "changed");
    expect(await sourceInputs(recipe, root)).toEqual(before);
    await chmod(join(root, "images/sshd/start"), 0o755);
    await write("images/frp/Dockerfile", "FROM debian\n");
    expect(await sourceInputs(recipe, root)).toEqual([
      before[0],
      "images/frp/Dockerfile -\nFROM debian\n",
      "images/sshd/start x\n#!/bin/sh\n",
    ]);
  });

  test("the context holds the sources where they stand in the repository and the programs in bin", async () => {
    await write("cache/frps-1/bin/frps", "program");
    await chmod(join(root, "cache/frps-1/bin/frps"), 0o755);
    const context = join(root, "context");
    await fillContext(context, recipe, [join(root, "cache/frps-1/bin/frps")], root);
    const entries = await readdir(context, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.map((file) => file.slice(context.length + 1)).sort()).toEqual([
      "app/package.json",
      "images/frp/Dockerfile",
      "images/frp/bin/frps",
      "images/sshd/start",
    ]);
    expect((await stat(join(context, "images/frp/bin/frps"))).mode & 0o777).toBe(0o755);
  });
});

const build = {
  context: "/tmp/context",
  dockerfile: "images/frp/Dockerfile",
  args: { BINARY: "prebuilt", BASE: "docker-archive:/cache/image.tar" },
  ref: "drawbridge.local/frps:lab",
  archive: "/tmp/image.tar",
};

test("arguments of buildah build", () => {
  expect(buildArguments({ ...build, target: "frps" })).toEqual([
    "--isolation=chroot",
    "--network=host",
    "--build-arg=BINARY=prebuilt",
    "--build-arg=BASE=docker-archive:/cache/image.tar",
    "--target=frps",
    "--tag=drawbridge.local/frps:lab",
    "--file=/tmp/context/images/frp/Dockerfile",
    "/tmp/context",
  ]);
  expect(buildArguments(build)).not.toContain("--target=frps");
});

test.each([
  ["ext4", 0xef53, "overlay"],
  ["xfs", 0x58465342, "overlay"],
  ["an overlay", 0x794c7630, "vfs"],
] as const)("layers on %s", (_name, type, driver) => {
  expect(storageDriver(type)).toBe(driver);
});
