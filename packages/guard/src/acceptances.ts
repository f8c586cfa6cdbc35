/** Accepted findings: each by its name, until a given day. */
import { z } from "zod";
import { faultyFile, issueTexts } from "./bounds.ts";

/** The part of a finding that an acceptance is compared with. */
export interface Acceptable {
  readonly rule: string;
  readonly object: string;
  readonly text: string;
}

const longestDays = 90;
const endOf = (day: string) => Date.parse(`${day}T23:59:59Z`);

const date = z
  .union([z.string(), z.date()])
  .transform((value) => (typeof value === "string" ? value : value.toISOString().slice(0, 10)))
  .pipe(z.iso.date({ error: "is no day; write it like 2026-12-31" }));
// Types that are published name none of zod's: an older TypeScript cannot read those.
export interface Acceptance {
  readonly rule: string;
  /** The object as the report names it, `NetworkPolicy team-a/dev1`; `*` stands for any text, `\*` for itself. */
  readonly object: string;
  /** The finding's own words; likewise. */
  readonly what: string;
  /** ISO date, the whole day included, in UTC. */
  readonly until: string;
}

const entry: z.ZodType<Acceptance> = z.strictObject({
  rule: z.string(),
  object: z.string().min(1),
  what: z.string().min(1),
  until: date,
});

/**
 * The entries of an acceptance file. Each needs an end, so that no exception lasts by being forgotten.
 * @throws Error with every fault of the file
 */
export function parseAcceptances(
  data: unknown,
  file: string,
  ruleNames: readonly string[],
  today: Date,
): Acceptance[] {
  const parsed = z.array(entry).safeParse(data ?? []);
  const faults = parsed.success
    ? parsed.data.flatMap((one, index) => faultsOf(one, ruleNames, today).map((fault) => `${index}.${fault}`))
    : issueTexts(parsed.error);
  if (!parsed.success || faults.length > 0) throw faultyFile(file, faults);
  return parsed.data;
}

function faultsOf({ rule, what, until }: Acceptance, ruleNames: readonly string[], today: Date): string[] {
  const lasting = endOf(until) - today.getTime() > longestDays * 24 * 3600 * 1000;
  return [
    ...(ruleNames.includes(rule)
      ? []
      : [`rule: "${rule}" is no rule; the rules are ${ruleNames.join(", ")}`]),
    ...(/[^*\s]/.test(what) ? [] : [`what: "${what}" accepts whatever is found; write the finding's words`]),
    ...(lasting ? [`until: ${until} is too far; choose a day within the next ${longestDays} days`] : []),
  ];
}

export function holds({ until }: Acceptance, today: Date): boolean {
  return endOf(until) >= today.getTime();
}

export function accepts(acceptance: Acceptance, finding: Acceptable): boolean {
  return (
    acceptance.rule === finding.rule &&
    matches(acceptance.object, finding.object) &&
    matches(acceptance.what, finding.text)
  );
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern
    .split(/(?<!\\)\*/)
    .map((part) => part.replaceAll("\\*", "*").replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(text);
}
