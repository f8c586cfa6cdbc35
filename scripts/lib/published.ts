/** The packages as npm gets them: compiled, without tests, sources and whatever only this repository understands. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { llmsFile } from "./llms.ts";
import { repository } from "./repository.ts";

/** What is published. */
export const publishedPackages = ["controllers", "drawbridge", "cli", "guard"] as const;
export type PublishedPackage = (typeof publishedPackages)[number];

/** The package whose dependencies are part of its own few files, so that it has none. */
const standalone: PublishedPackage = "cli";

/** A file, or files by condition. */
type Target = string | { readonly [condition: string]: Target };

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, Target>>;
  readonly [field: string]: unknown;
}

export function run(command: string, args: readonly string[], cwd = "."): string {
  const outcome = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (outcome.status === 0) return outcome.stdout;
  const why = outcome.error?.message ?? `${outcome.stdout}${outcome.stderr}`;
  throw new Error(`${command} ${args.join(" ")} in ${resolve(cwd)}:\n${why}`);
}

export function describe(name: PublishedPackage): PackageJson {
  return JSON.parse(readFileSync(join("packages", name, "package.json"), "utf8"));
}

/** Fills a package's `dist`. What it uses of packages that are not published becomes part of it. */
export function build(name: PublishedPackage): void {
  const folder = join("packages", name);
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  if (existsSync(join(folder, "rolldown.config.ts"))) run("rolldown", ["-c"], folder);
  else compile(folder);
  const program = join(dist, "main.js");
  if (existsSync(program)) chmodSync(program, 0o755);
}

/** JavaScript and declarations of one package. */
function compile(folder: string): void {
  const config = {
    extends: "../../tsconfig.base.json",
    compilerOptions: { rootDir: "src", outDir: "dist" },
    include: ["src"],
    exclude: ["src/**/*.test.ts", "src/**/*.test-d.ts", "src/**/*.fixture.ts", "src/**/*.trials.ts"],
  };
  const file = join(folder, "tsconfig.build.json");
  writeFileSync(file, JSON.stringify(config));
  try {
    run("tsc", ["-p", "tsconfig.build.json"], folder);
  } finally {
    rmSync(file);
  }
}

/**
 * Lays out a built package as its tarball holds it, in `target`.
 * @param sshdArchives folder with the archives that the command copies into containers, for the package that has it
 */
export function stage(name: PublishedPackage, target: string, sshdArchives?: string): void {
  const folder = join("packages", name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const part of partsOf(name)) cpSync(join(folder, part), join(target, part), { recursive: true });
  cpSync(join(folder, "README.md"), join(target, "README.md"));
  for (const file of ["LICENSE", "CHANGELOG.md"]) cpSync(file, join(target, file));
  if (name === "drawbridge") {
    // What editors check a stack's file by, and what programs that write code for people read.
    cpSync("stacks/schema.json", join(target, "stacks.schema.json"));
    cpSync(llmsFile, join(target, "llms.txt"));
  }
  if (name === "cli" && sshdArchives !== undefined)
    cpSync(sshdArchives, join(target, "bundle"), { recursive: true });
  writeFileSync(join(target, "package.json"), `${JSON.stringify(manifestOf(name), null, 2)}\n`);
}

/** What of a package is published: its program; where it has them, what starts it on any Node, and what it reads. */
const partsOf = (name: PublishedPackage) =>
  ["PulumiPlugin.yaml", "PulumiPolicy.yaml", "bin", "dist", "dashboard.json", "dashboard-egress.json"].filter(
    (part) => existsSync(join("packages", name, part)),
  );

/** What comes from elsewhere. */
const addedTo: Readonly<Record<PublishedPackage, readonly string[]>> = {
  controllers: [],
  drawbridge: ["stacks.schema.json", "llms.txt"],
  cli: ["bundle"],
  guard: [],
};

/** package.json without what only works inside this repository. */
function manifestOf(name: PublishedPackage): PackageJson {
  const { scripts: _, devDependencies: __, private: ___, bin, exports, ...kept } = describe(name);
  const { dependencies, ...rest } = kept;
  return {
    ...rest,
    ...addressOf(name),
    publishConfig: { access: "public", provenance: true },
    files: [...partsOf(name), ...addedTo[name], "CHANGELOG.md"],
    ...(bin === undefined
      ? {}
      : { bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, join(file)])) }),
    ...(exports === undefined ? {} : { exports: withoutSources(exports) }),
    ...(dependencies === undefined || name === standalone ? {} : { dependencies }),
  } as PackageJson;
}

/** npm holds a package's provenance against `repository`. */
function addressOf(name: PublishedPackage): object {
  const address = repository();
  if (address === undefined) return {};
  const url = `https://github.com/${address}`;
  return {
    homepage: `${url}#readme`,
    bugs: `${url}/issues`,
    repository: { type: "git", url: `git+${url}.git`, directory: `packages/${name}` },
  };
}

function withoutSources(exports: NonNullable<PackageJson["exports"]>): PackageJson["exports"] {
  return Object.fromEntries(
    Object.entries(exports).map(([path, target]) => {
      if (typeof target === "string") return [path, target];
      const { "@drawbridge/source": _, ...conditions } = target;
      return [path, conditions];
    }),
  );
}

/** Packs a staged package; returns the tarball's path. */
export function pack(staged: string, target: string): string {
  const name = run("npm", ["pack", "--silent", "--pack-destination", resolve(target)], staged).trim();
  return join(target, name);
}

/** How many modules a built package has. */
export function modulesOf(name: PublishedPackage): number {
  return globSync("dist/**/*.{js,cjs}", { cwd: join("packages", name) }).length;
}

/** Whether every file that a package's description names is there. */
export function missingFiles(staged: string): string[] {
  const { bin = {}, exports = {} } = JSON.parse(
    readFileSync(join(staged, "package.json"), "utf8"),
  ) as PackageJson;
  const filesOf = (target: Target): string[] =>
    typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf);
  const named = [...Object.values(bin), ...filesOf(exports)];
  return named.filter((file) => !existsSync(join(staged, file)));
}
