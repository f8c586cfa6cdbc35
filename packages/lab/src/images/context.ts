import { cp, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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
