/** The lab's images: built once into the cache from the project's Dockerfiles, without a registry. */

import { join } from "node:path";
import { cached } from "../cache.ts";
import type { Progress } from "../progress.ts";
import { ensureDebianPackages, ensureTools } from "../tools/index.ts";
import { fingerprint } from "../tools/module-files.ts";
import { buildahBuild } from "./buildah.ts";
import { fillContext, sourceInputs } from "./context.ts";
import { IMAGE_NAMES, type ImageName, type Recipe, recipeOf } from "./recipes.ts";

export { IMAGE_NAMES, type ImageName };

/** A built image. */
export interface BuiltImage {
  /** Reference under which pods use it. */
  readonly ref: string;
  /** Path of the docker-archive to import. */
  readonly tar: string;
}

/** The reference of an image in a lab, for example `drawbridge.local/devcontainer:lab`. */
export function imageRef(name: ImageName): string {
  return `drawbridge.local/${name}:lab`;
}

/** The named images; what is missing is built first (about a minute each when nothing is cached). */
export async function ensureImages<T extends ImageName>(
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

async function ensureImage(name: ImageName, progress: Progress): Promise<Ensured> {
  const recipe = recipeOf(name);
  const base = recipe.onBase ? await ensureImage("debian", progress) : undefined;
  const tools = Object.values(await ensureTools(recipe.tools ?? [], progress));
  const key = fingerprint([
    JSON.stringify(recipe),
    ...(await sourceInputs(recipe)),
    ...(recipe.preparation?.inputs() ?? []),
    // A tool's path holds the fingerprint of its own inputs.
    ...tools,
    base?.key ?? "",
  ]);
  const title = `image ${name}`;
  const folder = await cached({
    path: `images/${name}-${key}`,
    onWait: () => progress.note(`${title}: another process is building it; waiting`),
    fill: (target) =>
      progress.step(`${title}: building`, () => build(name, { recipe, tools, base, target }, progress)),
  });
  return { image: { ref: imageRef(name), tar: join(folder, ARCHIVE) }, key };
}

const ARCHIVE = "image.tar";

interface Parts {
  readonly recipe: Recipe;
  readonly tools: readonly string[];
  readonly base: Ensured | undefined;
  readonly target: string;
}

async function build(name: ImageName, { recipe, tools, base, target }: Parts, progress: Progress) {
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
        ...(base === undefined ? {} : { BASE: `docker-archive:${base.image.tar}` }),
        ...(tools.length === 0 && recipe.prebuilt !== true ? {} : { BINARY: "prebuilt" }),
      },
      ...(recipe.target === undefined ? {} : { target: recipe.target }),
      ref: imageRef(name),
      archive: join(target, ARCHIVE),
    },
    scratch,
  );
}
