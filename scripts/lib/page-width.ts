/** How wide the lines of pages are: a page is also read in an editor, in a diff and in a terminal. */
import { readFileSync } from "node:fs";
import { pages } from "../../test/support/pages/page-blocks.ts";

/** Columns by what a line is. A table's row cannot be wrapped; a cell that needs more is a paragraph. */
export const widest = { text: 120, code: 140, table: 200 } as const;
type Kind = keyof typeof widest;

/** Lines that are too wide, as `page:line: …`. */
export function wideLines(page: string, text: string): string[] {
  let fenced = false;
  return text.split("\n").flatMap((line, index) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    const kind: Kind = fenced ? "code" : /^\s*\|/.test(line) ? "table" : "text";
    // An image's words, and a word that is too long by itself, have nowhere to be broken.
    const breakable = !line.startsWith("![") && line.trim().slice(0, widest[kind]).includes(" ");
    // Where a figure comes from is not shown.
    const columns = [...line.replaceAll(/<!--.*?-->/g, "")].length;
    if (columns <= widest[kind] || !breakable) return [];
    return [`${page}:${index + 1}: ${columns} columns of ${kind}, at most ${widest[kind]}`];
  });
}

export function pageWidthFaults(): string[] {
  return pages().flatMap((page) => wideLines(page, readFileSync(page, "utf8")));
}
