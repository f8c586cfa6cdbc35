/** The tables of `docs/fields.md`: what an edit of each field does to access, sessions, data, pods and money. */
import { readFileSync } from "node:fs";
import { effectsOf, rulesOf } from "./field-edits/effects.ts";
import { editedKinds, expectedVerdicts } from "./field-edits/index.ts";
import { replaceBetween } from "./pages/marked-text.ts";

export const fieldsFile = "docs/fields.md";

const words: Readonly<Record<string, string>> = {
  "volume-lost": "lost",
  "volume-left-behind": "left behind",
  "volume-shrunk": "kept",
};

/** The page as it stands, with today's tables. */
export function fieldsPage(): string {
  return Object.entries(editedKinds).reduce(
    (page, [kind, edited]) =>
      replaceBetween(page, `fields of a ${kind}`, fieldTable(expectedVerdicts(edited))),
    readFileSync(fieldsFile, "utf8"),
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
