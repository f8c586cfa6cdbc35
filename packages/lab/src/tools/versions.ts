import { readFileSync } from "node:fs";

/** The pinned version of each Go module that a go.mod requires. */
export interface ModuleVersions {
  /** The version of a module, for example `v1.36.3`. */
  of(module: string): string;
  /** The version of the module that holds a package: the longest required path that is a prefix of the package's. */
  ofPackage(importPath: string): string;
  /** The lowest Go release that the module accepts, for example `1.26.3`. */
  readonly go: string;
}

const requireLine = /^(?:require )?\t?(?<module>[^\s()"]+\.[^\s()"]+) (?<version>v\S+)(?: \/\/ indirect)?$/gm;

/** Reads the `require` and `go` lines of a go.mod file. */
export function parseGoMod(text: string): ModuleVersions {
  const versions = new Map<string, string>();
  for (const match of text.matchAll(requireLine)) versions.set(match.groups!.module!, match.groups!.version!);
  const go = /^go (\S+)$/m.exec(text)?.[1];
  if (go === undefined)
    throw new Error("the go.mod has no `go` line; add the lowest Go release that builds it");

  const of = (module: string) => {
    const version = versions.get(module);
    if (version === undefined)
      throw new Error(`the go.mod requires no module ${module}; add it with \`go get\``);
    return version;
  };
  const ofPackage = (importPath: string) => {
    const holders = [...versions.keys()].filter((m) => importPath === m || importPath.startsWith(`${m}/`));
    return of(holders.sort((a, b) => b.length - a.length)[0] ?? importPath);
  };
  return { of, ofPackage, go };
}

/** The version of one distribution in a pip requirements file, for example `1.40.0`. */
export function parseRequirement(text: string, distribution: string): string {
  const pin = text.split("\n").find((line) => line.startsWith(`${distribution}==`));
  if (pin === undefined)
    throw new Error(`the requirements file pins no ${distribution}; add \`${distribution}==<version>\``);
  return pin.slice(distribution.length + 2).split(/[\s\\]/)[0]!;
}

/** The first dotted number in the text that a `--version` prints, for example `1.26.8` of `go version go1.26.8 linux/amd64`. */
export function findVersion(text: string): string | undefined {
  return /\d+\.\d+(?:\.\d+)?/.exec(text)?.[0];
}

/** Whether a dotted version is at least another one. Missing parts count as 0. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [have, need] = [version, minimum].map((v) => v.replace(/^v/, "").split(".").map(Number));
  for (const [index, part] of need!.entries()) {
    const own = have![index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

/** The release of the Kubernetes provider that the components' SDK asks for, and the oldest that they take. */
export function sdkVersions(): { readonly asked: string; readonly oldest: string } {
  const file = new URL("../../../drawbridge/package.json", import.meta.url);
  const { peerDependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8"));
  const name = "@pulumi/kubernetes";
  return { asked: devDependencies[name], oldest: peerDependencies[name].replace("^", "") };
}
