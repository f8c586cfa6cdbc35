/** Counts what passed and failed over several programs, and prints the closing line that CI reads. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join, relative } from "node:path";

/** A part's outcome. `notRun` says why a part was left out where it cannot run (never in CI). */
export interface Tally {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** What failed, by name, for the end of the log: who reads it from there need not look for it. */
  readonly failures?: readonly string[];
  readonly notRun?: string;
}

/** What is read of vitest's report. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

/** A file that could not even be loaded has no tests, yet is a failure. */
function failuresOf({ name, status, assertionResults }: FileReport): string[] {
  const file = relative(process.cwd(), name);
  if (status === "failed" && assertionResults.length === 0) return [`${file} could not be loaded`];
  return assertionResults
    .filter((test) => test.status === "failed")
    .map((test) => `${file}: ${test.fullName}`);
}

/**
 * Runs vitest and counts its tests; a run that died without a report counts as one failure.
 * @param isBeside whether another run goes on meanwhile: it then works in what time that one leaves, and prints whole lines
 */
export async function vitest(
  name: string,
  command: string,
  args: readonly string[],
  isBeside = false,
): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-report-"));
  const file = join(folder, "report.json");
  heading(name);
  const child = spawn(
    command,
    [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
    { stdio: ["ignore", isBeside ? "pipe" : "inherit", "inherit"] },
  );
  child.stdout?.pipe(process.stdout, { end: false });
  if (isBeside && child.pid !== undefined) setPriority(child.pid, 5);
  const [status] = (await once(child, "close")) as [number | null];
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(file, "utf8")) as Report;
    const failures = testResults.flatMap(failuresOf);
    // An unhandled error fails the run although each test passed.
    if (status !== 0 && failures.length === 0) failures.push("an error outside of the tests");
    return { name, passed: numPassedTests, failed: failures.length, failures };
  } catch {
    return { name, passed: 0, failed: 1, failures: ["the run died without a report"] };
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
  for (const { name, passed, failed, failures = [], notRun } of tallies) {
    console.log(
      notRun === undefined ? `${name}: ${passed} passed, ${failed} failed` : `${name}: not run: ${notRun}`,
    );
    for (const failure of failures) console.log(`failed: ${failure}`);
  }
  const sum = (of: "passed" | "failed") => tallies.reduce((total, tally) => total + tally[of], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") === 0 ? 0 : 1;
}
