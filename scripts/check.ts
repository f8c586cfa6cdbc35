/** `npm run check`: what must hold of the sources. Each check returns the lines that break it. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { ensureDebianPackages, ensureTools, lineProgress, toolVersions } from "@drawbridge-iac/lab";
import { deferredFaults } from "./lib/deferred-uses.ts";
import { staleFiles } from "./lib/generated.ts";
import { deadLinks } from "./lib/links.ts";
import { pageBlockFaults } from "./lib/page-blocks.ts";
import { blanked, figureFaults } from "./lib/page-figures.ts";
import { pageWidthFaults } from "./lib/page-width.ts";
import { proseFaults } from "./lib/prose.ts";
import { close, heading, type Tally } from "./lib/report.ts";
import { commandFaults, versionFaults } from "./lib/versions.ts";
import { isPart } from "./programs.ts";

const lineCap = 300;
/** How many checks run at a time. */
const atOnce = 3;

function tracked(...patterns: string[]): string[] {
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], {
    encoding: "utf8",
  });
  return listed.stdout.split("\n").filter((file) => file !== "" && existsSync(file));
}

const output = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8" });

const execute = promisify(execFile);

/** Runs a program; its output is what broke. */
async function program(command: string, ...args: string[]): Promise<string[]> {
  try {
    await execute(command, args, { maxBuffer: 64 * 1024 * 1024 });
    return [];
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
    return (`${stdout ?? ""}${stderr ?? ""}` || message).trimEnd().split("\n");
  }
}

/** What is found in each line of a file, after its place. */
function inLines(file: string, text: string, find: (line: string) => readonly string[]): string[] {
  return text
    .split("\n")
    .flatMap((line, index) => find(line).map((found) => `${file}:${index + 1}: ${found}`));
}

/** Source lines of a file: blank ones and comments do not count, so that documentation costs nothing. */
function codeLines(file: string): number {
  const begin = { sh: "#", lua: "--" }[file.split(".").at(-1) ?? ""] ?? "//|/?\\*";
  const isNone = new RegExp(`^\\s*(${begin}|$)`);
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => !isNone.test(line)).length;
}

/** The rules stand in scripts/imports.config.js. */
const wrongImports = () =>
  program(
    "depcruise",
    "--config",
    "scripts/imports.config.js",
    "--output-type",
    "err",
    ...globSync("packages/*/src"),
    "scripts",
    "stacks",
  );

/** Istio's API groups, kinds and resources, and how Envoy's types and Istio's proxy are called. */
const istios =
  /istio\\?\.io\b|\b(VirtualService|EnvoyFilter|DestinationRule|ServiceEntry|Workload(Entry|Group)|(Request|Peer)Authentication|AuthorizationPolicy)\b|"Gateway"|\b(virtualservices|envoyfilters|destinationrules|serviceentries)\b|type\.googleapis|istio-proxy|ISTIO_/;

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;

/** One room of the builders knows how to make them. Their types stand with those of all kinds; an argument's text may name them. */
const strayIstio = () =>
  tracked("packages/drawbridge/src/*.ts")
    .filter(
      (file) =>
        !/\/istio\/|\/generated\/|\.(test|test-d|fixture|trials)\.ts$|\/((?<!kubernetes\/)args[^/]*|kubernetes\/kinds\.ts)$/.test(
          file,
        ),
    )
    .flatMap((file) =>
      inLines(file, blanked(readFileSync(file, "utf8"), comments), (line) =>
        istios.test(line) ? [line.trim()] : [],
      ),
    );

/**
 * Commands that fetch a program from npm by a name without a scope, which anybody could publish, or run what a download
 * gives without looking at it.
 */
const unsafeCommand =
  /\b(npx|bunx|pnpx|(npm|pnpm|yarn) (exec|x|dlx|create|init))\s+(-\S+\s+)*[a-z][\w.-]*|\b(curl|wget)\b[^\n|]*\|\s*(sudo\s+)?(ba|z|da)?sh\b/;

function unsafeCommands(): string[] {
  return tracked("*.md", "*.ts", "*.js", "*.json", "*.sh", "*.yml", "*.yaml", "scripts/run", ".ci/run")
    .filter((file) => !file.endsWith("package-lock.json"))
    .flatMap((file) =>
      inLines(file, readFileSync(file, "utf8"), (line) => {
        const [found] = unsafeCommand.exec(line) ?? [];
        return found === undefined || / --(offline|no|no-install) /.test(found) ? [] : [found];
      }),
    );
}

/** @param files all of the repository: also those that only their first line says to be shell */
async function shellFaults(files: readonly string[]): Promise<string[]> {
  const isShell = (file: string) =>
    file.endsWith(".sh") ||
    (!basename(file).slice(1).includes(".") && /^#!\S*\/(ba)?sh\n/.test(readFileSync(file, "utf8")));
  const programs = files.filter((file) => isShell(file) && !isPart(file));
  return program(await shellcheck(), "--format=gcc", "--check-sourced", ...programs);
}

/** The pinned one: the user's own, or PyPI's, which has it for x86-64 and macOS. */
async function shellcheck(): Promise<string> {
  const version = toolVersions().shellcheck.replace(/^v(\d+\.\d+\.\d+).*$/, "version: $1\n");
  if (output("shellcheck", "--version").stdout?.includes(version)) return "shellcheck";
  return (await ensureTools(["shellcheck"], lineProgress())).shellcheck;
}

async function luaFaults(programs: readonly string[]): Promise<string[]> {
  // No registry but the distributions' has it; Debian 12 has 1.1, Debian 13 has 1.2.
  if (output("luacheck", "--version").status !== 0) await ensureDebianPackages(["lua-check"], lineProgress());
  return program("luacheck", "--quiet", "--formatter=plain", "--codes", ...programs);
}

/** Also the shell in their steps. */
async function workflowFaults(workflows: readonly string[]): Promise<string[]> {
  const { actionlint } = await ensureTools(["actionlint"], lineProgress());
  return program(actionlint, "-oneline", "-shellcheck", await shellcheck(), ...workflows);
}

/** `npm run` in workflows; the words of a matrix stand in its own lines. */
function workflowCommandFaults(workflows: readonly string[]): string[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  return workflows.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const named = [
      ...[...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name),
      ...[...text.matchAll(/commands?: .*/g)].flatMap(([line]) => line.match(/\b(test:\w+|check)\b/g) ?? []),
    ];
    return named.filter((name) => !Object.hasOwn(scripts, name)).map((name) => `${file}: npm run ${name}`);
  });
}

/** Comments that name a source file, by its path or the end of it, that is not there. */
function missingSources(): string[] {
  const files = tracked("*.ts");
  return files.flatMap((file) =>
    inLines(file, readFileSync(file, "utf8"), (line) =>
      [...(/^\s*(\/\/|\/?\*)/.test(line) ? line.matchAll(/(?<![\w./-])[\w./-]+\.ts\b/g) : [])]
        .filter(([name]) => !files.some((own) => `/${own}`.endsWith(`/${name}`)))
        .map(([name]) => `${name} is not there`),
    ),
  );
}

/** Every check by its name. */
const checks: Record<string, () => string[] | Promise<string[]>> = {
  "format and lint": () => program("biome", "ci", "--error-on-warnings", "."),
  types: () => program("tsc", "-p", "."),
  "shellcheck finds nothing in shell programs": () => shellFaults(tracked()),
  "luacheck finds nothing in Lua programs": () => luaFaults(tracked("*.lua")),
  "actionlint finds nothing in workflows": () =>
    workflowFaults(tracked(".github/workflows/*.yml", "starter/.github/workflows/*.yml")),
  "workflows run commands that there are": () => workflowCommandFaults(tracked(".github/workflows/*.yml")),
  "what may come later is only passed on, never looked at": deferredFaults,
  [`no source file above ${lineCap} lines of code`]: () =>
    tracked("*.ts", "*.sh", "*.lua", "packages/*.js", "packages/*.css", "packages/*.html")
      .filter((file) => !/\.test\.ts$|\/generated\//.test(file) && codeLines(file) > lineCap)
      .map((file) => `${file}: ${codeLines(file)} lines`),
  "imports point the allowed way": wrongImports,
  "no file, export or dependency is unused, and none unlisted": () => program("knip", "--no-progress"),
  "Istio's objects are named in one room of the builders": strayIstio,
  // By tracked files: of a removed package, a build may have left the folder.
  "every package has a README": () =>
    [...new Set(tracked("packages/*/*").map((file) => file.split("/").slice(0, 2).join("/")))].filter(
      (folder) => !existsSync(join(folder, "README.md")),
    ),
  "packages, image tags and changelog agree on the version": versionFaults,
  "the lock file links the commands that packages name": commandFaults,
  "what is made of arguments, programs and records is as npm run generate writes it": staleFiles,
  "what is mutated is there": () =>
    (JSON.parse(readFileSync("stryker.config.json", "utf8")).mutate as string[]).filter(
      (file) => !existsSync(file),
    ),
  "no comment names a source file that is not there": missingSources,
  "no link of a page leads nowhere": deadLinks,
  "lines of pages are no wider than they may be": pageWidthFaults,
  "pages read as English does": proseFaults,
  "numbers with a unit on pages have a record, or were looked at": figureFaults,
  "what a page shows for copying is run by a test, or listed with why not": pageBlockFaults,
  "the documentation builds as a site": () => program("vitepress", "build", "docs", "--logLevel", "warn"),
  "no command fetches a program by an unscoped name, or runs a download unseen": unsafeCommands,
  "no test is skipped": () =>
    tracked("*.test.ts").filter((file) =>
      /\b(it|test|describe)\.(skip|todo|only)\b/.test(readFileSync(file, "utf8")),
    ),
};

export async function runChecks(): Promise<Tally> {
  heading("checks");
  const failures: string[] = [];
  const left = Object.entries(checks);
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [name, check] = next;
      // A check that throws has failed too: its program may be missing.
      const broken = await (async () => check())().catch((error: Error) => [error.message]);
      console.log(`${broken.length === 0 ? "ok    " : "FAILED"} ${name}`);
      for (const line of broken) console.log(`       ${line}`);
      if (broken.length > 0) failures.push(name);
    }
  };
  // Most are a program that has one thread.
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    name: "checks",
    passed: Object.keys(checks).length - failures.length,
    failed: failures.length,
    failures,
  };
}

if (import.meta.main) process.exitCode = close([await runChecks()]);
