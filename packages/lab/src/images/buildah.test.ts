import { expect, test } from "vitest";
import { buildArguments, storageDriver } from "./buildah.ts";

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
