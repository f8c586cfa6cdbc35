/** The tables of `docs/fields.md`: what an edit of each field does to access, sessions, data, pods and money. */
import { readFileSync } from "node:fs";
import { replaceBetween } from "./pages/marked-text.ts";
import { effectsOf, rulesOf } from "./trials/effects.ts";
import { expectedVerdicts, tried, triedTeamFile } from "./trials/index.ts";

export const fieldsFile = "docs/fields.md";

const words: Readonly<Record<string, string>> = {
  "volume-lost": "lost",
  "volume-left-behind": "left behind",
  "volume-shrunk": "kept",
};

/** The page as it stands, with today's tables. */
export function fieldsPage(): string {
  const components = [...tried].map(([title, one]) => `## ${title}\n\n${fieldTable(expectedVerdicts(one))}`);
  const page = readFileSync(fieldsFile, "utf8");
  return replaceBetween(
    replaceBetween(page, "fields of a team", fieldTable(expectedVerdicts(triedTeamFile))),
    "fields of components",
    `\n${components.join("\n\n")}\n`,
  );
}

function fieldTable(verdicts: Readonly<Record<string, string>>): string {
  return [
    "| field | access | sessions | data | pods | cost | verdict |",
    "|---|---|---|---|---|---|---|",
    ...Object.entries(verdicts).map(([path, verdict]) => row(path, verdict)),
  ].join("\n");
}

function row(path: string, verdict: string): string {
  const rules = rulesOf(verdict);
  const does = (token: string) => verdict.split(" ").includes(token);
  const isCrossed = effectsOf(rules.join(" ")).includes("opens");
  const access = [...(isCrossed ? ["crosses a wall"] : []), ...["gains", "loses"].filter(does)];
  const cells = [
    `\`${path}\``,
    access.join(", "),
    rules.includes("ssh-listener-changed") ? "all of the gateway end" : does("restarts") ? "its own end" : "",
    rules.map((rule) => words[rule]).find((word) => word !== undefined) ?? "",
    does("restarts") ? "restart" : "",
    does("costs") ? "changes" : "",
    rules.length === 0 ? "" : `refused: ${rules.map((rule) => `\`${rule}\``).join(", ")}`,
  ];
  return `| ${cells.join(" | ")} |`;
}
