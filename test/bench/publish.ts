/**
 * `sh scripts/run node test/bench/publish.ts FILE...`: makes docs/bench.json, docs/bench-full.json of full runs, and the charts from files
 * that `npm run bench -- --json FILE` has written, all on one commit, or on commits with the same packages of the product.
 * Of a scenario that is in several, the last one counts. `npm run generate` then puts the figures into the pages.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  chartFolder,
  charts,
  documentFile,
  fullFile,
  published,
} from "../../scripts/lib/bench-report/docs.ts";
import { joined, readBenchDocument } from "../../scripts/lib/bench-report/json.ts";

const files = process.argv.slice(2);
const documents = files.map(readBenchDocument);
const commits = [...new Set(documents.map(({ meta }) => meta.commit))];
/** What a run measures: the commit's packages but the lab; undefined for a work tree with changes of its own. */
function packages(commit: string): string | undefined {
  if (!/^[0-9a-f]{40}$/.test(commit)) return undefined;
  const { stdout } = spawnSync("git", ["ls-tree", `${commit}:packages`], { encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => !line.endsWith("\tlab"))
    .join("\n");
}
const measured = [...new Set(commits.map(packages))];
if (measured.length !== 1 || !measured[0]) {
  console.error(
    `give files of one commit, or of commits with the same packages, whose work tree was as committed: npm run bench -- --json FILE (${files.length} files, of ${commits.join(", ") || "no commit"})`,
  );
  process.exit(2);
}
for (const [path, full] of [
  [documentFile, false],
  [fullFile, true],
] as const) {
  const run = joined(documents.filter(({ meta }) => meta.full === full));
  if (run === undefined) rmSync(path, { force: true });
  else writeFileSync(path, `${JSON.stringify(run, null, 2)}\n`);
}
const document = published();
rmSync(chartFolder, { recursive: true, force: true });
mkdirSync(chartFolder);
for (const [file, svg] of Object.entries(charts(document))) writeFileSync(join(chartFolder, file), svg);
console.log(`${documentFile}: ${Object.keys(document).length - 1} scenarios of commit ${commits.join(", ")}`);
