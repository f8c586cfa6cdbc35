/** `sh scripts/run node test/drill/publish.ts RECORD...`: makes docs/reliability.jsonl from drills' records; `npm run generate` then makes the page's table. */
import { readFileSync, writeFileSync } from "node:fs";
import { recordsFile } from "../../scripts/lib/drill-report/docs.ts";

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("give the records of drills: sh scripts/run node test/drill/publish.ts drill-*.jsonl");
  process.exit(2);
}
writeFileSync(recordsFile, files.map((file) => readFileSync(file, "utf8")).join(""));
console.log(`${recordsFile}: ${files.length} records`);
