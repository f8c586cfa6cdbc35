/** `npm test`: checks, unit tests, engine tests and the core lab tests; the last line says how many. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "./check.ts";
import { close, type Tally, vitest } from "./lib/report.ts";
import { setUp } from "./lib/set-up.ts";

/** The lab runs as a program of its own, since its tests run in the lab's network. */
function labTests(): Tally {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-lab-report-"));
  const file = join(folder, "tally.json");
  const env = { ...process.env, DRAWBRIDGE_TALLY: file };
  spawnSync("node", ["scripts/lab-tests.ts", "core"], { stdio: ["ignore", "inherit", "inherit"], env });
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Tally;
  } catch {
    return { name: "lab tests", passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = close([
  runChecks(),
  ...(await setUp()),
  vitest("unit tests", "vitest", ["run", "--project", "unit"]),
  vitest("engine tests", "vitest", ["run", "--project", "engine"]),
  labTests(),
]);
