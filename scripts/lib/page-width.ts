/** How wide the lines of pages are: a page is also read in an editor, in a diff and in a terminal. */
import { readFileSync } from "node:fs";
import { pages } from "./pages/page-blocks.ts";

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

/** What must stay in one line: a word with the code and the links in it, and the marks that touch them. */
const pieces = /(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/g;
/** Where a line must not begin, because it would be a list, a heading, a quotation, a table, a rule or HTML. */
const mark = /^(?:<!--|[-+*=#>|](?!\*)|\d+[.)]$)/;

/** A page that a program writes, with its paragraphs and list items wrapped; headings, tables and blocks of code stay. */
export function wrapped(markdown: string, columns: number): string {
  let fenced = false;
  return markdown
    .split("\n")
    .map((line) => {
      const fence = /^\s*```/.test(line);
      if (fence) fenced = !fenced;
      return fence || fenced || /^\s*[|#]/.test(line) ? line : wrappedLine(line, columns);
    })
    .join("\n");
}

function wrappedLine(line: string, columns: number): string {
  if ([...line].length <= columns) return line;
  const [start = ""] = /^\s*(?:[-*] |\d+\. )?/.exec(line) ?? [];
  const [first = "", ...rest] = unitsOf(line.slice(start.length));
  const lines: string[] = [];
  let current = start + first;
  for (const unit of rest) {
    if ([...`${current} ${unit}`].length > columns) {
      lines.push(current);
      current = " ".repeat(start.length) + unit;
    } else current = `${current} ${unit}`;
  }
  return [...lines, current].join("\n");
}

/** What a line may be broken between: a piece, with all that may not begin a line after it. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  for (const piece of text.match(pieces) ?? []) {
    if (units.length > 0 && mark.test(piece)) units.push(`${units.pop()} ${piece}`);
    else units.push(piece);
  }
  return units;
}
