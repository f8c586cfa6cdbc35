/** Builds an image: lays out its context, and runs buildah in it. */
import { cp, mkdir, readdir, readFile, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../tools/run.ts";
import type { Recipe } from "./recipes.ts";

// The build context of every Dockerfile.
const packagesFolder = fileURLToPath(new URL("../../..", import.meta.url));

/** The files of the repository that go into an image: path below `packages/`, sorted. */
export async function sourceFiles(recipe: Recipe, root: string = packagesFolder): Promise<string[]> {
  const lists = await Promise.all(
    [recipe.folder, ...(recipe.sources ?? [])].map((path) => filesBelow(root, path)),
  );
  return lists.flat().sort();
}

async function filesBelow(root: string, path: string): Promise<string[]> {
  if (!(await stat(join(root, path))).isDirectory()) return [path];
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true });
  return (
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, ""))
      // Programs that a person put there to build by hand are not part of the recipe, nor are tests.
      .filter((file) => !file.startsWith(`${path}/bin/`) && !file.endsWith(".test.ts"))
  );
}

/** One line of text per source file that changes with its name, its mode or its content. */
export async function sourceInputs(recipe: Recipe, root: string = packagesFolder): Promise<string[]> {
  const files = await sourceFiles(recipe, root);
  return await Promise.all(
    files.map(async (file) => {
      const executable = ((await stat(join(root, file))).mode & 0o100) !== 0;
      return `${file} ${executable ? "x" : "-"}\n${await readFile(join(root, file), "utf8")}`;
    }),
  );
}

/** Lays out a build context: the recipe's sources as they stand below `packages/`, and its programs in `bin`. */
export async function fillContext(
  context: string,
  recipe: Recipe,
  tools: readonly string[],
  root: string = packagesFolder,
): Promise<void> {
  for (const file of await sourceFiles(recipe, root)) {
    await mkdir(dirname(join(context, file)), { recursive: true });
    await cp(join(root, file), join(context, file));
  }
  const bin = join(context, recipe.folder, "bin");
  await mkdir(bin, { recursive: true });
  for (const tool of tools) await cp(tool, join(bin, basename(tool)));
}

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
