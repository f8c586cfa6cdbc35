/**
 * `npm test`: unit tests, checks, engine tests and the core lab tests; the last line says how many. What they run is built
 * meanwhile: the engine tests begin when Pulumi, its provider and the API server are there, the lab tests when all is.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "./check.ts";
import { close, type Tally, vitest } from "./lib/report.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-tallies-"));

/** How a program of its own is run that leaves its tallies in a file. */
function program(name: string, ...words: readonly string[]) {
  const file = join(folder, `${name}.json`);
  return {
    words,
    options: {
      stdio: ["ignore", "inherit", "inherit"] as ["ignore", "inherit", "inherit"],
      env: { ...process.env, DRAWBRIDGE_TALLY: file },
    },
    tallies(): Tally[] {
      try {
        return JSON.parse(readFileSync(file, "utf8")) as Tally[];
      } catch {
        return [{ name, passed: 0, failed: 1, failures: ["ended without its counts"] }];
      }
    },
  };
}

const setUp = program("set-up", "scripts/lib/set-up.ts");
const builds = spawn("node", setUp.words, setUp.options);
const ended = once(builds, "exit");

const tallies = [
  vitest("unit tests", "vitest", ["run", "--project", "unit"]),
  await runChecks(),
  vitest("engine tests", "vitest", ["run", "--project", "engine"]),
];
await ended;
// The lab's tests run in the lab's network.
const lab = program("lab tests", "scripts/lab-tests.ts", "core");
spawnSync("node", lab.words, lab.options);
process.exitCode = close([...tallies, ...setUp.tallies(), ...lab.tallies()]);
rmSync(folder, { recursive: true, force: true });
