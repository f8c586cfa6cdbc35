import type { AccessEffect } from "./access/index.ts";
import { describeCost } from "./cost.ts";
import { describeEnvironments } from "./environments.ts";
import type { Finding, Verdict } from "./guard.ts";
import { collapse, inline, type Line } from "./lines.ts";
import type { Change } from "./preview.ts";
import { describeRunning } from "./running.ts";

/** GitHub refuses longer comments (65,536); GitLab allows far more. */
export const commentLimit = 60_000;

export interface ReportOptions {
  readonly limit?: number;
  /** Where the rules are explained; a link to each rule's section is made of it. */
  readonly docs?: string;
}

/** A finding's own words are what an acceptance repeats, so that they are never cut; a failure's may be long. */
const longestFailure = 4000;

/** The report as Markdown, cut to fit a pull request's comment with a note of what was left out. */
export function renderReport(
  changes: readonly Change[],
  verdict: Verdict,
  { limit = commentLimit, docs = "docs/preview-guard.md" }: ReportOptions = {},
): string {
  const findings = (all: readonly Finding[]) => all.map((one) => describeFinding(one, docs));
  const sections = [
    headline(changes, verdict),
    failures(verdict),
    list("Refused", findings(verdict.refused)),
    list("Not judged", findings(verdict.unjudged)),
    howToAccept(verdict, docs),
    list(
      "Accepted for now",
      verdict.accepted.map((one) => `${describeFinding(one, docs)} (until ${one.until})`),
    ),
    list(
      "Acceptances that have expired",
      verdict.expired.map(({ rule, object, until }) => `${rule}, ${object}, on ${until}`),
    ),
    list("Who gains and loses what", collapse(accessLines(verdict.access))),
    list("What runs", describeRunning(changes).map(inline)),
    list("Cost", describeCost(changes)),
    ...describeEnvironments(changes).map(({ title, lines }) => list(inline(title), lines.map(inline))),
  ].filter((section) => section !== "");
  return fit(sections, limit);
}

function headline(changes: readonly Change[], { code }: Verdict): string {
  const count = (ops: readonly string[]) => changes.filter((change) => ops.includes(change.op)).length;
  const words = [
    [count(["create", "import"]), "to create"],
    [count(["update"]), "to update"],
    [count(["create-replacement", "replace"]), "to replace"],
    [count(["delete"]), "to delete"],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, what]) => `${number} ${what}`);
  const title = ["nothing dangerous", "refused", "not judged"][code];
  const nothing = code === 2 ? "" : "\n\nNo change.";
  return `## drawbridge: ${title}${words.length === 0 ? nothing : `\n\nResources: ${words.join(", ")}.`}`;
}

/** Pulumi's words as it wrote them: in a fence that is longer than any in them. */
function failures({ failures }: Verdict): string {
  if (failures.length === 0) return "";
  const texts = failures.map(({ text }) =>
    text.length > longestFailure ? `${text.slice(0, longestFailure)}…` : text,
  );
  const longest = Math.max(
    2,
    ...texts.flatMap((text) => (text.match(/`+/g) ?? []).map(({ length }) => length)),
  );
  const fence = "`".repeat(longest + 1);
  return `### Why it could not be judged\n\n${texts.map((text) => `${fence}text\n${text}\n${fence}`).join("\n\n")}`;
}

function describeFinding({ rule, object, text }: Finding, docs: string): string {
  return `[**${rule}**](${docs}#${rule}) ${inline(object)}: ${inline(text)}`;
}

function howToAccept({ refused, unjudged }: Verdict, docs: string): string {
  const [first] = [...refused, ...unjudged];
  if (first === undefined) return "";
  const { rule, object, text } = first;
  const entry = [
    `- rule: ${rule}`,
    `  object: ${JSON.stringify(object)}`,
    `  what: ${JSON.stringify(text)}`,
    "  until: <last day>",
  ];
  return [
    `To accept a finding, a maintainer adds it to the [acceptance file](${docs}#accepting-a-danger), which a pull request cannot change:`,
    "```yaml\n" + entry.join("\n") + "\n```",
  ].join("\n\n");
}

function accessLines(access: readonly AccessEffect[]): Line[] {
  return access.map(({ object, text, pair }) => {
    const name = pair.component?.name ?? pair.name;
    const isNamed = text.includes(name);
    return { about: name, text: inline(isNamed ? text : `${object}: ${text}`) };
  });
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`### ${title}`, "", ...lines.map((line) => `- ${line}`)].join("\n");
}

/** Whole sections from the top until the limit; what is dangerous stands first and so stays. */
function fit(sections: readonly string[], limit: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const [index, section] of sections.entries()) {
    const room = limit - length - 100;
    if (section.length > room) {
      const lines = section.slice(0, Math.max(0, room)).split("\n").slice(0, -1);
      if (lines.length > 0) kept.push(lines.join("\n"));
      const rest = sections.length - index - 1;
      kept.push(
        `_The report was cut to fit; ${rest} further sections were left out. --limit gives more room._`,
      );
      return `${kept.join("\n\n")}\n`;
    }
    kept.push(section);
    length += section.length + 2;
  }
  return `${kept.join("\n\n")}\n`;
}
