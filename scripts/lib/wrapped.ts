/** Markdown that a program writes, in lines of a page's width. */

/** What must stay in one line: a word with the code and the links in it, and the marks that touch them. */
const pieces = /(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/g;
/** Where a line must not begin, because it would be a list, a heading, a quotation, a table, a rule or HTML. */
const mark = /^(?:<!--|[-+*=#>|](?!\*)|\d+[.)]$)/;

/** The paragraphs and list items of a page, wrapped; headings, tables and blocks of code stay as they are. */
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
