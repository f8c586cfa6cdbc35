/** The table of docs/reliability.md, from the records of drills. */
import { replaceBetween } from "../pages/marked-text.ts";
import { type DrillRecord, readRecord } from "./record.ts";
import { recordTable } from "./table.ts";

/** The records, one behind the other, and the page; from the project's root. */
export const recordsFile = "docs/reliability.jsonl";
export const pageFile = "docs/reliability.md";

/** @param text records, one behind the other */
export function page(page: string, text: string): string {
  return replaceBetween(page, "record", recordTable(recordsIn(text)));
}

/** A record begins with a line that has a seed. */
export function recordsIn(text: string): DrillRecord[] {
  return text.split(/^(?=\{"seed")/m).map(readRecord);
}
