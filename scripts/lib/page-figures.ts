/**
 * A number with a unit on a page comes from a record, by a mark (`scripts/lib/bench-report/inline.ts`), or is listed here: a
 * default, a bound or a promise that a person has looked at. What was measured has no place in the list.
 */
import { readFileSync } from "node:fs";
import { pages } from "./pages/page-blocks.ts";

const reviewed: Readonly<Record<string, string>> = {
  "README.md": "25 GiB",
  "docs/bench.md": "1 ×, 45 s, 64 MiB, 40 kB",
  "docs/containers-inside.md": "128 KiB",
  "docs/egress.md": "12 hours",
  "docs/floods.md": "30 s, 2.5 s, 2 s",
  "docs/frp.md": "10 s, 30 s, 10 to 30 s, 20 s, 10 minutes",
  "docs/gateway.md": "6000 s, 30 min, 60 s, 30 s",
  "docs/home-copies.md": "128 MiB, 1 GiB",
  "docs/idle.md": "2 h, 12 h, 8 KiB, 5 min, 5 to 20 s, 60 s",
  "docs/platform.md": "512 MiB, 1 GiB, 2 GiB, 349 KiB, 51 KiB, 256 MiB",
  "docs/preview-guard.md": "400 MiB, 1 GiB, 90 days",
  "docs/reliability.md": "20 s, 220 s, 60 s, 120 s",
  "docs/rotate.md": "10 s",
  "docs/runbooks.md": "50 s, 220 s",
  "docs/sshpod.md": "4 hours",
  "docs/storage.md": "20 MiB, 32 MiB, 256 MiB",
  "docs/troubleshooting.md": "4 s, 2 s",
  "packages/lab/README.md": "10 s, 16 GiB, 3 GiB",
};

const figure =
  /\d[\d.,]*(?: to \d[\d.,]*)?[ -](?:ms|s|min|h|[KMGT]i?B|kB|(?:second|minute|hour|day)s?|%|×)(?![\w])/g;

/** A text without some of its parts; their lines stay, so that the numbers are right. */
export const blanked = (text: string, part: RegExp): string =>
  text.replaceAll(part, (found) => found.replaceAll(/[^\n]/g, ""));

/** What a program writes into a page, between two marks. */
export const madeBlocks = /<!-- (.*) begins -->[\s\S]*?<!-- \1 ends -->/g;

/** Without blocks, code and what a program writes. */
const prose = (text: string) =>
  [madeBlocks, /^ *```[\s\S]*?^ *```$/gm, /`[^`]*`/g, /<!--[^>]*-->[^<]*<!---->/g].reduce(blanked, text);

/** Figures of a page that are not in its list, and listed ones that it does not have. */
export function figureFaultsOf(page: string, text: string, list = reviewed[page] ?? ""): string[] {
  const listed = list.split(", ").filter(Boolean);
  const found = prose(text)
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(figure)].map(([words]) => ({ words, at: `${page}:${index + 1}` })),
    );
  return [
    ...found
      .filter(({ words }) => !listed.includes(words))
      .map(({ words, at }) => `${at}: "${words}" has no record, and is not in scripts/lib/page-figures.ts`),
    ...listed
      .filter((words) => !found.some((one) => one.words === words))
      .map((words) => `${page} has no "${words}", which scripts/lib/page-figures.ts lists`),
  ];
}

export const figureFaults = (): string[] =>
  pages()
    .filter((page) => !["CHANGELOG.md", "docs/reference.md"].includes(page))
    .flatMap((page) => figureFaultsOf(page, readFileSync(page, "utf8")));
