/** The lab's images: built once into the cache from the project's Dockerfiles, without a registry. */

import { join } from "node:path";
import { cached } from "../cache.ts";
import type { Progress } from "../progress.ts";
import { ensureDebianPackages, ensureTools } from "../tools/index.ts";
import { fingerprint } from "../tools/module-files.ts";
import { buildahBuild } from "./buildah.ts";
import { fillContext, sourceInputs } from "./context.ts";
import { IMAGE_NAMES, type ImageName, type Recipe, type RecipeName, recipeOf } from "./recipes.ts";

export { IMAGE_NAMES, type ImageName };

/** A built image. */
export interface BuiltImage {
  /** Reference under which pods use it. */
  readonly ref: string;
  /** Path of the docker-archive to import. */
  readonly tar: string;
}

/** The reference of an image in a lab, for example `drawbridge.local/devcontainer:lab`. */
export function imageRef(name: RecipeName): string {
  return `drawbridge.local/${name}:lab`;
}

/** The named images; what is missing is built first (about a minute each when nothing is cached). */
export async function ensureImages<T extends RecipeName>(
  names: readonly T[],
  progress: Progress,
): Promise<Record<T, BuiltImage>> {
  const images: Partial<Record<T, BuiltImage>> = {};
  for (const name of names) images[name] = (await ensureImage(name, progress)).image;
  return images as Record<T, BuiltImage>;
}

interface Ensured {
  readonly image: BuiltImage;
  /** Changes with whatever went into the image. */
  readonly key: string;
}

async function ensureImage(name: RecipeName, progress: Progress): Promise<Ensured> {
  const recipe = recipeOf(name);
  const from = await ensureFrom(recipe, progress);
  const tools = Object.values(await ensureTools(recipe.tools ?? [], progress));
  const key = fingerprint([
    JSON.stringify(recipe),
    ...(await sourceInputs(recipe)),
    ...(recipe.preparation?.inputs() ?? []),
    // A tool's path holds the fingerprint of its own inputs.
    ...tools,
    ...Object.values(from).map((ensured) => ensured.key),
  ]);
  const title = `image ${name}`;
  const folder = await cached({
    path: `images/${name}-${key}`,
    onWait: () => progress.note(`${title}: another process is building it; waiting`),
    fill: (target) =>
      progress.step(`${title}: building`, () => build(name, { recipe, tools, from, target }, progress)),
  });
  return { image: { ref: imageRef(name), tar: join(folder, ARCHIVE) }, key };
}

const ARCHIVE = "image.tar";

/** The images from which a recipe starts, by build argument. */
async function ensureFrom(recipe: Recipe, progress: Progress): Promise<Record<string, Ensured>> {
  const from: Record<string, Ensured> = {};
  for (const [argument, name] of Object.entries(recipe.from ?? {})) {
    from[argument] = await ensureImage(name, progress);
  }
  return from;
}

interface Parts {
  readonly recipe: Recipe;
  readonly tools: readonly string[];
  readonly from: Readonly<Record<string, Ensured>>;
  /** Folder of the cache entry. */
  readonly target: string;
}

async function build(name: RecipeName, { recipe, tools, from, target }: Parts, progress: Progress) {
  await ensureDebianPackages(["buildah"], progress);
  const scratch = join(target, "build");
  const context = join(scratch, "context");
  await fillContext(context, recipe, tools);
  await recipe.preparation?.fill(join(context, recipe.folder), progress);
  await buildahBuild(
    {
      context,
      dockerfile: join(recipe.folder, "Dockerfile"),
      args: {
        ...buildArgs(Object.entries(from).map(([argument, { image }]) => [argument, image.tar])),
        ...recipe.args,
      },
      ...(recipe.target === undefined ? {} : { target: recipe.target }),
      ref: imageRef(name),
      archive: join(target, ARCHIVE),
    },
    scratch,
  );
}

/** Images are given as archives, since there is no registry, and programs ready-made unless an image brings them. */
function buildArgs(archives: readonly (readonly [string, string])[]): Record<string, string> {
  const images = archives.map(([argument, tar]) => [argument, `docker-archive:${tar}`] as const);
  return { BINARY: "prebuilt", ...Object.fromEntries(images) };
}
