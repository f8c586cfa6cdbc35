/**
 * `npm test`: unit tests, checks, engine tests and the core lab tests; the last line says how many. What they run is built
 * meanwhile: the lab tests begin when all is there, beside the engine tests, which fill the time in which they wait.
 */
import { spawn } from "node:child_process";
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

/** Runs it to its end. */
async function ended({ words, options, tallies }: ReturnType<typeof program>): Promise<Tally[]> {
  await once(spawn("node", words, options), "exit");
  return tallies();
}

const built = ended(program("set-up", "scripts/lib/set-up.ts"));
const first = [await vitest("unit tests", "vitest", ["run", "--project", "unit"]), await runChecks()];
const [engine, lab] = await Promise.all([
  vitest("engine tests", "vitest", ["run", "--project", "engine"], true),
  // In the lab's network.
  built.then(() => ended(program("lab tests", "scripts/lab-tests.ts", "core"))),
]);
process.exitCode = close([...first, engine, ...(await built), ...lab]);
rmSync(folder, { recursive: true, force: true });
