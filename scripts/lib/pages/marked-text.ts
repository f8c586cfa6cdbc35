/** Parts of a page that a test writes or checks, between two HTML comments. */

const marks = (name: string) => [`<!-- ${name} begins -->\n`, `\n<!-- ${name} ends -->`] as const;

/** What stands between the marks of that name. */
export function between(text: string, name: string): string {
  const [begin, end] = marks(name);
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(end));
}

/** The text with something else between the marks. */
export function replaceBetween(text: string, name: string, content: string): string {
  const [begin, end] = marks(name);
  return text.slice(0, text.indexOf(begin) + begin.length) + content + text.slice(text.indexOf(end));
}
