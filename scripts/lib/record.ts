/** Files in test/recorded that hold a name or a line for each thing that there has ever been. They only grow. */
import { readFileSync, writeFileSync } from "node:fs";

export function readRecord(file: string): string[] {
  return JSON.parse(readFileSync(file, "utf8")) as string[];
}

/** Adds the lines that are new. */
export function growRecord(file: string, lines: readonly string[]): void {
  const all = [...new Set([...readRecord(file), ...lines])].sort();
  writeFileSync(file, `${JSON.stringify(all, undefined, 1)}\n`);
}

/** What is wrong with those that are not in the record yet. */
export function missingFaults(file: string, names: readonly string[]): string[] {
  return names.map((name) => `${name} is not in ${file}; run npm run docs`);
}
