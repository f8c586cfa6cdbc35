import { mkdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../tools/run.ts";

/** One image to build. */
interface Build {
  /** Folder with the files that the Dockerfile copies. */
  readonly context: string;
  /** The Dockerfile, relative to the context. */
  readonly dockerfile: string;
  readonly target?: string;
  readonly args: Readonly<Record<string, string>>;
  /** Full reference, for example `drawbridge.local/pause:lab`. */
  readonly ref: string;
  /** Path of the docker-archive to write. */
  readonly archive: string;
}

/**
 * Builds an image without a daemon. All of buildah's state lives in `scratch` and goes away with it, so builds do not
 * know each other and nothing has to be cleaned up later.
 */
export async function buildahBuild(build: Build, scratch: string): Promise<void> {
  await mkdir(scratch, { recursive: true });
  const driver = storageDriver((await statfs(scratch)).type);
  // buildah leaves its storage mounted; in a mount namespace of its own the mounts end with it.
  const words = [scratch, driver, build.ref, build.archive, ...buildArguments(build)];
  await run("unshare", ["--mount", "sh", "-euc", twoCommands, "sh", ...words]);
  await rm(scratch, { recursive: true });
}

const twoCommands = `
at=$1; driver=$2; ref=$3; archive=$4; shift 4
buildah() { command buildah --root "$at/storage" --runroot "$at/run" --storage-driver "$driver" "$@"; }
buildah build "$@"
buildah push "$ref" "docker-archive:$archive:$ref"
`;

/** What follows `buildah build`. */
export function buildArguments(build: Build): string[] {
  return [
    // The machine's own network and devices: nested network namespaces often fail, and the recipes are ours.
    "--isolation=chroot",
    "--network=host",
    ...Object.entries(build.args).map(([name, value]) => `--build-arg=${name}=${value}`),
    ...(build.target === undefined ? [] : [`--target=${build.target}`]),
    `--tag=${build.ref}`,
    `--file=${join(build.context, build.dockerfile)}`,
    build.context,
  ];
}

const overlayfsMagic = 0x794c7630;

/** How buildah keeps layers on a file system of this type (statfs): an overlay cannot lie on another overlay. */
export function storageDriver(fileSystemType: number): "overlay" | "vfs" {
  return fileSystemType === overlayfsMagic ? "vfs" : "overlay";
}
