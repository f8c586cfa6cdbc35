/**
 * `npm run test:mutation [-- <file or pattern> …]`: changes one thing at a time in the code that keeps teams apart, and looks
 * whether a unit test notices. Prints the score of each file and what nobody noticed; ends with 1 where a file is below
 * 90 % or a survivor has no explanation in `scripts/mutation/survivors.json`. Minutes for all.
 *
 * Stryker's instrumenter puts all changes into the code, each behind a switch; one process of vitest turns them on one
 * after the other. Stryker's own runner starts a process for each, which takes hours.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instrument } from "./mutation/instrumented.ts";
import { isolating } from "./mutation/isolating.ts";
import { closing, render, reportOf, score } from "./mutation/score.ts";
import { tryAll } from "./mutation/try-all.ts";

const patterns = process.argv.slice(2);
const files = globSync(patterns.length > 0 ? patterns : isolating)
  .filter((file) => !/\.(test|test-d|fixture)\.ts$/.test(file))
  .sort();
if (files.length === 0) {
  console.error(`no file is called ${patterns.join(" or ")}; give paths below packages/`);
  process.exit(2);
}

// Those of the changed packages alone. What the manifests make is recorded beside the components.
const packages = new Set(files.map((file) => file.split("/")[1] ?? ""));
const tests = [...packages].map((name) => `packages/${name}/src/**/*.test.ts`);
if (packages.has("manifests")) tests.push("packages/components/src/isolation-builders.test.ts");

const folder = mkdtempSync(join(tmpdir(), "drawbridge-mutation-"));
try {
  const { changes } = await instrument(files);
  const outcomes = await tryAll({ files, tests, notes: join(folder, "notes") }, changes.length);
  const explained = JSON.parse(readFileSync("scripts/mutation/survivors.json", "utf8"));
  const scores = score(reportOf(changes, outcomes), explained);
  console.log(render(scores));
  process.exitCode = closing(scores);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
