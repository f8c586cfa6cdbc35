/** Many lines that say the same of different things become one. */
import { unknownText } from "./values.ts";

export interface Line {
  /** What the line is about; it may stand in the text. */
  readonly about: string;
  readonly text: string;
}

const shownNames = 5;
// Stands for the thing in a text that is the same for all of them.
const mark = "\u0000";

// A preview says things in the order in which they are done, which differs from run to run: dev2 stands before dev10.
export const byName = new Intl.Collator("en", { numeric: true }).compare;

/** Lines in their first order; those that differ only in what they are about become one, which hides no name. */
export function collapse(lines: readonly Line[]): string[] {
  const groups = Map.groupBy(lines, ({ about, text }) => text.replace(wordOf(about), mark));
  return [...groups.values()].map((group) => {
    const texts = new Map(group.map(({ about, text }) => [about, text]));
    const [first = "", ...others] = [...texts.keys()].sort(byName);
    const text = texts.get(first) ?? "";
    return others.length === 0 ? text : `${text} (the same for ${joined(others, others.length)})`;
  });
}

/** The name itself, or the beginning of the name of a part of it: `dev1` in `dev1-home`. */
function wordOf(about: string): RegExp {
  const escaped = about.replace(/[.+?^${}()|[\]\\*]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?!\\w)`, "g");
}

/** `a, b and 98 more`; names that are counted up are `dev1 to dev100`. */
export function joined(names: readonly string[], most = shownNames): string {
  const shown = runs([...names].sort(byName));
  const kept = shown.length <= most ? shown : shown.slice(0, most);
  const more = names.length - kept.reduce((sum, { count }) => sum + count, 0);
  const text = kept.map(({ text }) => text).join(", ");
  return more === 0 ? text : `${text} and ${more} more`;
}

interface Run {
  readonly text: string;
  readonly count: number;
}

/** Names that follow on one another, three and more of them, by the first and the last. */
function runs(names: readonly string[]): Run[] {
  const found: string[][] = [];
  for (const name of names) {
    const run = found.at(-1);
    if (run !== undefined && name === following(run.at(-1) ?? "")) run.push(name);
    else found.push([name]);
  }
  return found.flatMap((run) =>
    run.length > 2
      ? [{ text: `${run[0]} to ${run.at(-1)}`, count: run.length }]
      : run.map((text) => ({ text, count: 1 })),
  );
}

/** `dev10` after `dev9`, `dev010` after `dev009`. */
function following(name: string): string | undefined {
  const [, prefix, digits] = /^(.*?)(\d{1,9})$/.exec(name) ?? [];
  return digits === undefined
    ? undefined
    : `${prefix}${String(Number(digits) + 1).padStart(digits.length, "0")}`;
}

/** What is not seen: controls, marks that turn the reading direction or have no width, halves of characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Each of them as `\u202e`, which YAML and JSON read in quotes. */
export function visible(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(unseen, (sign) => (/[\n\t]/.test(sign) ? sign : sign.split("").map(escaped).join("")));
}

/**
 * What a preview names may hold line breaks and Markdown, which must not become the report's own: no heading, no item,
 * no HTML, no link that says something else than where it leads, nobody who is called by `@`. That sign becomes its wide
 * twin, unless a letter or digit stands before it, as in `image@sha256:…`: between backticks, as an entity or behind a
 * backslash GitHub and GitLab can still be made to see it.
 */
export function inline(text: string): string {
  const line = text.replaceAll(unknownText, "(known at `pulumi up`)").replace(/\s+/g, " ");
  return visible(line.replace(/(?<![A-Za-z0-9_])@/g, "\uff20"))
    .replace(/[<>]/g, (sign) => (sign === "<" ? "&lt;" : "&gt;"))
    .replaceAll("](", "]\\(");
}
