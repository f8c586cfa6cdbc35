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
  /** Why there was no fault after all; what was seen is then counted, the fault is not. */
  notInjected: z.string().optional(),
  /** Seconds from injecting to healed. */
  seconds: z.number(),
  /** Seconds of the drill that it took, all looks included. */
  took: z.number(),
  /** Sessions that ended, as the fault allows. */
  ended: z.number(),
  /** Seconds from injecting until the last client whose session ended knew of it. */
  told: z.number().optional(),
  /** Seconds from healed until each door let someone in. */
  logins: z.record(z.string(), z.number()),
  /** What did not hold, a sentence each. */
  breaches: z.array(z.string()),
  /** What was late on a machine that was itself too slow, a sentence each. */
  machine: z.array(z.string()),
  /** Seconds that a program which does nothing took meanwhile. */
  beat: z.number(),
});
export type Entry = z.output<typeof entry>;

export interface DrillRecord extends Heading {
  readonly entries: Entry[];
}

/** The faults that a record has already; begins one where there is none. Fails for another drill's. */
export function openRecord(file: string, own: Heading): Entry[] {
  if (!existsSync(file)) {
    appendFileSync(file, `${JSON.stringify(own)}\n`);
    return [];
  }
  const { entries, ...found } = readRecord(readFileSync(file, "utf8"));
  if (JSON.stringify(found) !== JSON.stringify(own)) {
    throw new Error(
      `${file} is the record of another drill (seed ${found.seed}, ${found.kinds.join(", ")}); use its seed and faults, or another file`,
    );
  }
  return entries;
}

/** What the text of a record says: its drill's, and what came of it. */
export function readRecord(text: string): DrillRecord {
  const [first = "", ...lines] = text.trimEnd().split("\n");
  return {
    ...heading.parse(JSON.parse(first)),
    entries: lines.map((line) => entry.parse(JSON.parse(line))),
  };
}

export function addEntry(file: string, made: Entry): void {
  appendFileSync(file, `${JSON.stringify(made)}\n`);
}

/** What a drill comes to. */
export function summary(entries: readonly Entry[]): string {
  const injected = entries.filter(({ notInjected }) => notInjected === undefined);
  const count = (pick: (one: Entry) => readonly unknown[]) =>
    entries.reduce((sum, one) => sum + pick(one).length, 0);
  const kinds = new Set(injected.map(({ fault }) => fault)).size;
  return [
    `${injected.length} faults of ${kinds} kinds`,
    `${entries.length - injected.length} not injected`,
    `${count(({ breaches }) => breaches)} breaches`,
    `${count(({ machine }) => machine)} time-outs of the machine`,
  ].join(", ");
}
