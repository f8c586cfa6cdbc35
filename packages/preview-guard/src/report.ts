import { describeAccess } from "./access.ts";
import { describeCost } from "./cost.ts";
import { describeEnvironments } from "./environments.ts";
import type { Verdict } from "./guard.ts";
import type { Change } from "./preview.ts";

/** GitHub refuses longer comments (65,536); GitLab allows far more. */
export const commentLimit = 60_000;

/** The report as Markdown, cut to fit a pull request's comment with a note of what was left out. */
export function renderReport(changes: readonly Change[], verdict: Verdict, limit = commentLimit): string {
  const sections = [
    headline(changes, verdict),
    list(
      "Refused",
      verdict.refused.map(({ rule, text }) => `**${rule}**: ${text}`),
    ),
    list(
      "Accepted for now",
      verdict.accepted.map(({ rule, text, until }) => `**${rule}** until ${until}: ${text}`),
    ),
    list(
      "Overrides that have expired",
      verdict.expired.map(({ rule, until }) => `${rule}, on ${until}`),
    ),
    list("Who may get in", describeAccess(changes)),
    list("Cost", describeCost(changes)),
    ...describeEnvironments(changes).map(({ title, lines }) => list(title, lines)),
  ].filter((section) => section !== "");
  return fit(sections, limit);
}

function headline(changes: readonly Change[], verdict: Verdict): string {
  const count = (ops: readonly string[]) => changes.filter((change) => ops.includes(change.op)).length;
  const words = [
    [count(["create"]), "to create"],
    [count(["update"]), "to update"],
    [count(["create-replacement", "replace"]), "to replace"],
    [count(["delete"]), "to delete"],
  ]
    .filter(([number]) => number !== 0)
    .map(([number, what]) => `${number} ${what}`);
  const title = verdict.refused.length > 0 ? "## drawbridge: refused" : "## drawbridge: nothing dangerous";
  return `${title}\n\n${words.length === 0 ? "No change." : `Resources: ${words.join(", ")}.`}`;
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
