/** The table of `docs/fields.md`: what an edit of each field does to access, sessions, data and pods. */
import type { FieldEdits } from "./edit.ts";

const words: Readonly<Record<string, string>> = {
  "volume-lost": "lost",
  "volume-left-behind": "left behind",
  "volume-shrunk": "kept",
};
/** Rules that are about something else than who may reach what. */
const others = new Set([
  "volume-lost",
  "volume-left-behind",
  "volume-shrunk",
  "host-key-lost",
  "ssh-listener-changed",
  "load-balancer-replaced",
  "image-not-pinned",
]);
const states = new Set(["unchanged", "harmless", "restarts", "gains", "loses"]);

export function fieldTable(edits: FieldEdits): string {
  const rows = Object.entries(edits).map(([path, { verdict }]) => row(path, verdict.split(" ")));
  return ["| field | access | sessions | data | pods | verdict |", "|---|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

function row(path: string, tokens: readonly string[]): string {
  const rules = tokens.filter((token) => !states.has(token));
  const isRestart = tokens.includes("restarts");
  const walls = rules.some((rule) => !others.has(rule));
  const access = [
    ...(walls ? ["crosses a wall"] : []),
    ...["gains", "loses"].filter((token) => tokens.includes(token)),
  ];
  const cells = [
    `\`${path}\``,
    access.join(", "),
    rules.includes("ssh-listener-changed") ? "all of the gateway end" : isRestart ? "its own end" : "",
    rules.map((rule) => words[rule]).find((word) => word !== undefined) ?? "",
    isRestart ? "restart" : "",
    rules.length === 0 ? "" : `refused: ${rules.map((rule) => `\`${rule}\``).join(", ")}`,
  ];
  return `| ${cells.join(" | ")} |`;
}
