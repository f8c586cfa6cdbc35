import { type Change, isOurs } from "./change.ts";
import { describeCost } from "./cost.ts";
import { describeEnvironments, type Environment } from "./environments.ts";
import type { Finding, Verdict } from "./guard.ts";
import type { Judged } from "./judgement.ts";
import { collapse, inline, type Line, visible } from "./report-text.ts";
import { describeRunning } from "./running.ts";
import { describePeople, type NamingStack } from "./stacks.ts";
import { at } from "./values.ts";

/** GitHub refuses longer comments (65,536); GitLab allows far more. */
export const commentLimit = 60_000;

export interface ReportOptions {
  readonly limit?: number;
  /** Where the rules are explained; a link to each rule's section is made of it. */
  readonly docs?: string;
  /** The teams' stacks, to name those that a change of people has to reach. */
  readonly stacks?: readonly NamingStack[] | undefined;
}

/** A finding's own words are what an acceptance repeats, so that they are never cut; a failure's may be long. */
const longestFailure = 4000;

/** The report as Markdown, cut to fit a pull request's comment with a note of what was left out. */
export function renderReport(
  changes: readonly Change[],
  verdict: Verdict,
  { limit = commentLimit, docs = "docs/guard-rules.md", stacks }: ReportOptions = {},
): string {
  const findings = (all: readonly Finding[]) =>
    collapse(all.map((one) => ({ about: one.about, text: describeFinding(one, docs) })));
  const sections = [
    headline(changes, verdict),
    leftOut(changes, verdict),
    failures(verdict),
    list("Refused", findings(verdict.refused)),
    list("Not judged", findings(verdict.unjudged)),
    list(
      "Accepted for now",
      verdict.accepted.map((one) => `${describeFinding(one, docs)} (until ${one.until})`),
    ),
    list(
      "Acceptances that have expired",
      verdict.expired.map(({ rule, object, until }) => `${rule}, ${inline(object)}, on ${until}`),
    ),
    list("Who gains and loses what", collapse(accessLines(verdict.access))),
    list("Where people change", describePeople(changes, stacks).map(inline)),
    list("What runs", describeRunning(changes).map(inline)),
    list("Cost", describeCost(changes).map(inline)),
    list("What changes", describeEnvironments(changes, verdict.foreign).flatMap(environmentLines)),
  ].filter((section) => section !== "");
  const entries = acceptanceEntries(verdict, docs, limit);
  const report = fit(sections, limit - entries.length);
  return entries === "" ? report : `${report}\n${entries}`;
}

function headline(changes: readonly Change[], { code }: Verdict): string {
  const count = (ops: readonly string[]) =>
    changes.filter((change) => ops.includes(change.op) && !isOtherVersionAlone(change)).length;
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

const leftOut = (changes: readonly Change[], { isOfEvents }: Verdict) =>
  isOfEvents && changes.some(({ type }) => isOurs(type))
    ? "Events leave out options such as ignoreChanges and deletedWith; `pulumi preview --json` without streaming shows them."
    : "";

/** A release changes every component by its version, and perhaps no object. */
function isOtherVersionAlone({ isCustom, op, before, after }: Change): boolean {
  const [was, is] = [before, after].map((inputs) => JSON.stringify({ ...inputs, library: undefined }));
  return !isCustom && op === "update" && at(before, "library") !== undefined && was === is;
}

/** Pulumi's words as it wrote them: in a fence that is longer than any in them. */
function failures({ failures }: Verdict): string {
  if (failures.length === 0) return "";
  const texts = failures.map(({ text }) =>
    visible(text.length > longestFailure ? `${text.slice(0, longestFailure)}…` : text),
  );
  const fence = fenceFor(texts);
  return `### Why it could not be judged\n\n${texts.map((text) => `${fence}text\n${text}\n${fence}`).join("\n\n")}`;
}

function fenceFor(texts: readonly string[]): string {
  const runs = texts.flatMap((text) => text.match(/`+/g) ?? []).map(({ length }) => length);
  return "`".repeat(runs.reduce((longest, length) => Math.max(longest, length), 2) + 1);
}

function describeFinding({ rule, object, text }: Finding, docs: string): string {
  return `[**${rule}**](${docs}#${rule}) ${inline(object)}: ${inline(text)}`;
}

/**
 * An entry for each finding, exact, to be copied; a long list takes at most half of the report, so that what it is
 * about is still there.
 */
function acceptanceEntries({ refused, unjudged }: Verdict, docs: string, limit: number): string {
  // A sign that stands for any text elsewhere is itself here.
  const quoted = (text: string) => visible(JSON.stringify(text.replaceAll("*", "\\*")));
  const all = [...refused, ...unjudged].map(
    ({ rule, object, text }) =>
      `- { rule: ${rule}, object: ${quoted(object)}, what: ${quoted(text)}, until: <last day> }`,
  );
  if (all.length === 0) return "";
  const fence = fenceFor(all);
  const head = [
    "<details><summary>How to accept a finding</summary>",
    "",
    `A maintainer copies its entry into the [acceptance file](${docs}#accepting-a-danger), which a pull request cannot change.`,
    "",
    `${fence}yaml`,
  ];
  const foot = [fence, "", "</details>", ""];
  let room = limit / 2 - [...head, ...foot].join("\n").length - 60;
  const kept = all.filter((entry) => {
    room -= entry.length + 1;
    return room >= 0;
  });
  const rest = all.length - kept.length;
  const more = rest === 0 ? [] : [`# ${rest} more do not fit here; --limit gives more room`];
  return [...head, ...kept, ...more, ...foot].join("\n");
}

/** One line each, or the name and its lines below. */
function environmentLines({ title, lines }: Environment): string[] {
  const [first = "", ...others] = lines.map(inline);
  const name = inline(title);
  if (others.length === 0) return [`${name}${first.startsWith("is ") ? " " : ": "}${first}`];
  return [[name, ...[first, ...others].map((line) => `  - ${line}`)].join("\n")];
}

/** What an argument opens or closes, by its path; other texts name the component themselves. */
const ofArgument = /^[A-Za-z.]+(:| (has|no longer|opens)) /;

function accessLines(access: readonly Judged[]): Line[] {
  return access.map(({ object, text, about }) => ({
    about,
    text: inline(text.includes(about) && !ofArgument.test(text) ? text : `${object}: ${text}`),
  }));
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`### ${title}`, "", ...lines.map((line) => `- ${line}`)].join("\n");
}

/** The fence that a cut leaves open: no text in it has as many backticks. */
function openFence(lines: readonly string[]): string[] {
  const fence = lines.map((line) => /^(`{3,})text$/.exec(line)?.[1]).find((one) => one !== undefined);
  if (fence === undefined) return [];
  const count = (text: string) => lines.filter((line) => line === text).length;
  return count(`${fence}text`) > count(fence) ? [fence] : [];
}

/** Whole sections from the top until the limit; what is dangerous stands first and so stays. */
function fit(sections: readonly string[], limit: number): string {
  const kept: string[] = [];
  let length = 0;
  for (const [index, section] of sections.entries()) {
    const room = limit - length - 100;
    if (section.length > room) {
      const lines = section.slice(0, Math.max(0, room)).split("\n").slice(0, -1);
      if (lines.length > 0) kept.push([...lines, ...openFence(lines)].join("\n"));
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
