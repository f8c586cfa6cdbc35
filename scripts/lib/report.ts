/** Counts what passed and failed over several programs, and prints the closing line that CI reads. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A part's outcome. `notRun` says why a part was left out where it cannot run (never in CI). */
export interface Tally {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly notRun?: string;
}

/** Runs vitest and counts its tests; a run that died without a report counts as one failure. */
export function vitest(name: string, command: string, args: readonly string[]): Tally {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-report-"));
  const file = join(folder, "report.json");
  heading(name);
  const outcome = spawnSync(
    command,
    [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  try {
    const report = JSON.parse(readFileSync(file, "utf8")) as {
      numPassedTests: number;
      numFailedTests: number;
      testResults: { status: string; assertionResults: unknown[] }[];
    };
    // A file that could not even be loaded has no tests, yet is a failure.
    const broken = report.testResults.filter((f) => f.status === "failed" && f.assertionResults.length === 0);
    const failed = report.numFailedTests + broken.length;
    // An unhandled error fails the run although each test passed.
    const silent = outcome.status !== 0 && failed === 0 ? 1 : 0;
    return { name, passed: report.numPassedTests, failed: failed + silent };
  } catch {
    return { name, passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A part that cannot run here, with the reason; in CI that is a failure. */
export function couldNotRun(name: string, reason: string): Tally {
  return { name, passed: 0, failed: process.env.CI === "true" ? 1 : 0, notRun: reason };
}

/** Prints a heading between the parts of a long run. */
export function heading(text: string): void {
  console.log(`\n=== ${text}`);
}

/** Prints each part's outcome and the closing line; returns the exit code. */
export function close(tallies: readonly Tally[]): number {
  heading("summary");
  for (const { name, passed, failed, notRun } of tallies) {
    console.log(
      notRun === undefined ? `${name}: ${passed} passed, ${failed} failed` : `${name}: not run: ${notRun}`,
    );
  }
  const sum = (of: "passed" | "failed") => tallies.reduce((total, tally) => total + tally[of], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") === 0 ? 0 : 1;
}
