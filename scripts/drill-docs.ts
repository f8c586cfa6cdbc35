/** `sh scripts/run drill-docs RECORD...`: makes docs/reliability.jsonl and the table of docs/reliability.md from drills' records. */
import { readFileSync, writeFileSync } from "node:fs";
import { page, pageFile, recordsFile } from "../test/drill/report/docs.ts";

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("give the records of drills: sh scripts/run drill-docs drill-*.jsonl");
  process.exit(2);
}
const text = files.map((file) => readFileSync(file, "utf8")).join("");
writeFileSync(recordsFile, text);
writeFileSync(pageFile, page(readFileSync(pageFile, "utf8"), text));
console.log(`${pageFile}: ${files.length} records`);
