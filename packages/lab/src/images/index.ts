/** The lab's images: built once into the cache from the project's Dockerfiles, without a registry. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheDir, cached } from "../cache.ts";
import type { Progress } from "../progress.ts";
import { ensureDebianPackages, ensureTools, type ToolName, toolPaths } from "../tools/index.ts";
import { fingerprint } from "../tools/module-files.ts";
import { buildahBuild, fillContext, sourceInputs } from "./buildah.ts";
import { type ImageName, imageNames, type RecipeName, recipeOf } from "./recipes.ts";

export { type ImageName, imageNames };

/** A built image. */
interface BuiltImage {
  /** Reference under which pods use it. */
  readonly ref: string;
  /** Path of the docker-archive to import. */
  readonly tar: string;
}

/** The reference of an image in a lab, for example `drawbridge.local/devcontainer:lab`. */
export function imageRef(name: RecipeName): string {
  return `drawbridge.local/${recipeOf(name).ref ?? `${name}:lab`}`;
}

/** The named images; what is missing is built first (about a minute each when nothing is cached). */
export async function ensureImages<T extends RecipeName>(
  names: readonly T[],
  progress: Progress,
): Promise<Record<T, BuiltImage>> {
  const images: Partial<Record<T, BuiltImage>> = {};
  // Images that hold programs come last: the programs may be built meanwhile.
  const programs = (name: T) => recipeOf(name).tools?.length ?? 0;
  for (const name of names.toSorted((one, other) => programs(one) - programs(other)))
    images[name] = await ensureImage(name, progress);
  return images as Record<T, BuiltImage>;
}

/** Those of the named images, and of the images they start from, that the cache does not hold yet. */
export async function missingImages(names: readonly RecipeName[]): Promise<RecipeName[]> {
  const missing: RecipeName[] = [];
  for (const name of names) {
    if (existsSync(join(cacheDir(), await entryPath(name)))) continue;
    missing.push(...(await missingImages(Object.values(recipeOf(name).from ?? {}))), name);
  }
  return [...new Set(missing)];
}

/** The programs that the named images hold. */
export function toolsIn(names: readonly ImageName[]): ToolName[] {
  return [...new Set(names.flatMap((name) => recipeOf(name).tools ?? []))];
}

/** What progress calls the building of an image. */
export function imageStep(name: RecipeName): string {
  return `image ${name}: building`;
}

async function ensureImage(name: RecipeName, progress: Progress): Promise<BuiltImage> {
  const recipe = recipeOf(name);
  // Images are given as archives, since there is no registry, and programs ready-made unless an image brings them.
  const args: Record<string, string> = { BINARY: "prebuilt" };
  for (const [argument, base] of Object.entries(recipe.from ?? {}))
    args[argument] = `docker-archive:${(await ensureImage(base, progress)).tar}`;
  const tools = Object.values(await ensureTools(recipe.tools ?? [], progress));
  const step = imageStep(name);
  const folder = await cached({
    path: await entryPath(name),
    onWait: () => progress.note(`${step}: by another process; waiting`),
    fill: (target) => progress.step(step, () => build(name, args, tools, target, progress)),
  });
  return { ref: imageRef(name), tar: join(folder, archiveFile) };
}

const archiveFile = "image.tar";

async function entryPath(name: RecipeName): Promise<string> {
  return `images/${name}-${await keyOf(name)}`;
}

/** A text that changes with anything that goes into the image. */
async function keyOf(name: RecipeName): Promise<string> {
  const recipe = recipeOf(name);
  return fingerprint([
    JSON.stringify(recipe),
    ...(await sourceInputs(recipe)),
    ...(recipe.preparation?.inputs() ?? []),
    // A tool's path holds the fingerprint of its own inputs.
    ...Object.values(toolPaths(recipe.tools ?? [])),
    ...(await Promise.all(Object.values(recipe.from ?? {}).map(keyOf))),
  ]);
}

/**
 * @param args those that name an image, and whether programs are ready-made
 * @param target folder of the cache entry
 */
async function build(
  name: RecipeName,
  args: Readonly<Record<string, string>>,
  tools: readonly string[],
  target: string,
  progress: Progress,
): Promise<void> {
  const recipe = recipeOf(name);
  await ensureDebianPackages(["buildah"], progress);
  const scratch = join(target, "build");
  const context = join(scratch, "context");
  await fillContext(context, recipe, tools);
  await recipe.preparation?.fill(join(context, recipe.folder), progress);
  await buildahBuild(
    {
      context,
      dockerfile: join(recipe.folder, "Dockerfile"),
      args: { ...args, ...recipe.args },
      ...(recipe.target === undefined ? {} : { target: recipe.target }),
      ref: imageRef(name),
      archive: join(target, archiveFile),
    },
    scratch,
  );
}
