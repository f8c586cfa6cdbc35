/**
 * `npm run build [-- [--pack <folder>] [package]...]`: compiles the packages that are published, or those named, into
 * their `dist` folders, in the order of their imports, and packs them into tarballs if asked.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const packages = ["manifests", "frp-authorizer", "components", "cli", "preview-guard"] as const;

interface PackageJson {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

function run(command: string, args: readonly string[], cwd: string): string {
  const outcome = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (outcome.status === 0) return outcome.stdout;
  throw new Error(`${command} ${args.join(" ")} in ${cwd}:\n${outcome.stdout}${outcome.stderr}`);
}

/** JavaScript and declarations of one package. Its workspace imports are the packages built before it. */
function compile(folder: string): void {
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  const config = {
    extends: "../../tsconfig.base.json",
    // Without this project's own condition, imports lead to the built packages, as they do for users.
    compilerOptions: { rootDir: "src", outDir: "dist", customConditions: [] },
    include: ["src"],
    exclude: ["src/**/*.test.ts", "src/**/*.test-d.ts", "src/**/*.fixture.ts", "src/sample.ts"],
  };
  const file = join(folder, "tsconfig.build.json");
  writeFileSync(file, JSON.stringify(config));
  try {
    run("tsc", ["-p", "tsconfig.build.json"], folder);
  } finally {
    rmSync(file);
  }
  const { bin } = describe(folder);
  for (const program of Object.values(bin ?? {})) chmodSync(join(folder, program), 0o755);
}

function describe(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

const { values, positionals } = parseArgs({ options: { pack: { type: "string" } }, allowPositionals: true });
const unknown = positionals.filter((name) => !(packages as readonly string[]).includes(name));
if (unknown.length > 0) {
  console.error(`there is no package ${unknown.join(" or ")} to build; use ${packages.join(", ")}`);
  process.exit(2);
}
const chosen = packages.filter((name) => positionals.length === 0 || positionals.includes(name));
for (const name of chosen) {
  const folder = join("packages", name);
  compile(folder);
  console.log(`${describe(folder).name}: ${globSync("dist/**/*.js", { cwd: folder }).length} modules`);
}
if (values.pack !== undefined) {
  const target = resolve(values.pack);
  mkdirSync(target, { recursive: true });
  for (const name of chosen)
    run("npm", ["pack", "--silent", "--pack-destination", target], join("packages", name));
  console.log(`packed into ${target}`);
}
