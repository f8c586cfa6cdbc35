/** What a drill did and saw, one line of JSON each, so that it can be gone on with and counted. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const heading = z.strictObject({
  seed: z.number(),
  /** The kinds of faults, which decide the schedule as the seed does. */
  kinds: z.array(z.string()),
});
export type Heading = z.output<typeof heading>;

const entry = z.strictObject({
  index: z.number(),
  fault: z.string(),
  /** What it hit. */
  target: z.string(),
  /** Seconds from injecting to healed. */
  seconds: z.number(),
  /** Sessions that ended, as the fault allows. */
  ended: z.number(),
  /** Seconds from healed until each container let somebody in. */
  logins: z.record(z.string(), z.number()),
  /** What did not hold, a sentence each. */
  breaches: z.array(z.string()),
});
export type Entry = z.output<typeof entry>;

/** The faults that a record has already; begins one where there is none. Fails for another drill's. */
export function openRecord(file: string, own: Heading): Entry[] {
  if (!existsSync(file)) {
    appendFileSync(file, `${JSON.stringify(own)}\n`);
    return [];
  }
  const [first = "", ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  const found = heading.parse(JSON.parse(first));
  if (JSON.stringify(found) !== JSON.stringify(own)) {
    throw new Error(
      `${file} is the record of another drill (seed ${found.seed}, ${found.kinds.join(", ")}); use its seed and faults, or another file`,
    );
  }
  return lines.map((line) => entry.parse(JSON.parse(line)));
}

export function addEntry(file: string, made: Entry): void {
  appendFileSync(file, `${JSON.stringify(made)}\n`);
}
