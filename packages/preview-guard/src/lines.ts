/** Many lines that say the same of different things become one. */

export interface Line {
  /** What the line is about; it may stand in the text. */
  readonly about: string;
  readonly text: string;
}

const shownNames = 5;
// Stands for the thing in a text that is the same for all of them.
const mark = "\u0000";

/** Lines in their first order, those that differ in nothing but what they are about together. */
export function collapse(lines: readonly Line[]): string[] {
  const groups = new Map<string, { names: Set<string>; first: string }>();
  for (const { about, text } of lines) {
    const pattern = text.replace(wordOf(about), mark);
    const group = groups.get(pattern) ?? { names: new Set<string>(), first: text };
    group.names.add(about);
    groups.set(pattern, group);
  }
  return [...groups.values()].map(({ names, first }) => {
    const others = [...names].slice(1);
    return others.length === 0 ? first : `${first} (the same for ${joined(others)})`;
  });
}

function wordOf(about: string): RegExp {
  const escaped = about.replace(/[.+?^${}()|[\]\\*]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, "g");
}

/** `a, b and 98 more`. */
export function joined(names: readonly string[]): string {
  if (names.length <= shownNames) return names.join(", ");
  return `${names.slice(0, shownNames).join(", ")} and ${names.length - shownNames} more`;
}

/** What a preview names may hold line breaks and Markdown, which must not become the report's own. */
export function inline(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[<>]/g, (sign) => (sign === "<" ? "&lt;" : "&gt;"));
}
