/** The arguments of `npm run drill`. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export interface DrillOptions {
  /** Decides which faults come, when, and what they hit. */
  readonly seed: number;
  /** How many faults in all, those of earlier slices included. */
  readonly faults: number;
  /** Seconds after which no further fault is begun; the record says where to go on. None by default. */
  readonly slice?: number;
  /** Seconds of drill in all slices after which it is over, however many faults that were. Counted in faults by default. */
  readonly seconds?: number;
  /** A lab that stands, or is to stand when the slice is over, with the platform in it. By default one that ends with it. */
  readonly lab?: string;
  /** Absolute path of the record. */
  readonly record: string;
  /** Kinds of faults; all by default. A control run has none. */
  readonly only: readonly string[];
}

/** Arguments that cannot be used; the message says what is allowed. */
export class UsageError extends Error {}

export const usage =
  "npm run drill [-- [--seed N] [--faults N | --hours N] [--slice MINUTES] [--lab NAME] [--record FILE] [--only KIND]... [--control]]";

/** More than come in an hour: with its looks each takes more than two seconds. */
const perHour = 1800;

/** @param kinds every kind of fault there is */
export function parseOptions(args: readonly string[], kinds: readonly string[], none: string): DrillOptions {
  const values = parsed(args);
  const only = values.control ? [none] : (values.only ?? kinds);
  const faults: string[] = [];
  const whole = (name: string, text: string) => {
    if (!/^\d{1,9}$/.test(text)) faults.push(`--${name} is "${text}"; use a whole number`);
    return Number(text);
  };
  const seed = whole("seed", values.seed ?? "1");
  const hours = values.hours === undefined ? undefined : whole("hours", values.hours);
  const count = hours === undefined ? whole("faults", values.faults ?? "20") : hours * perHour;
  if (hours !== undefined && values.faults !== undefined) faults.push("give --faults or --hours, not both");
  const slice = values.slice === undefined ? {} : { slice: whole("slice", values.slice) * 60 };
  const unknown = only.filter((name) => name !== none && !kinds.includes(name));
  if (unknown.length > 0) faults.push(`there is no fault ${unknown.join(", ")}; use ${kinds.join(", ")}`);
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
  const record = resolve(values.record ?? `drill-${seed}.jsonl`);
  const seconds = hours === undefined ? {} : { seconds: hours * 3600 };
  const lab = values.lab === undefined ? {} : { lab: values.lab };
  return { seed, faults: count, ...seconds, ...slice, ...lab, record, only };
}

function parsed(args: readonly string[]) {
  try {
    const text = { type: "string" } as const;
    const options = {
      seed: text,
      faults: text,
      hours: text,
      slice: text,
      lab: text,
      record: text,
      only: { type: "string", multiple: true },
      control: { type: "boolean" },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Node's message has a hint for programmers behind its first sentence.
    const [first = ""] = (error as Error).message.split(/\. /);
    throw new UsageError(`${first.replace(/\.$/, "")}; usage: ${usage}`);
  }
}
