/**
 * Text from elsewhere on its way to the terminal. What a remote says may hold sequences that move the cursor, rewrite
 * what stands there or turn the reading direction, so everything that this program prints goes through here.
 */

import { styleText } from "node:util";

/** Controls, invisible marks such as those that turn the direction, line separators, and halves of characters. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text in one line, with every character that does something instead of being seen written as `\x1b` or `\u202e`. */
export function visible(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
    return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\u{${code}}`;
  });
}

/** The same for text of several lines. A line after the first is set in, so that it cannot pass for one of ours. */
export function visibleLines(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.map((line, at) => (at === 0 ? visible(line) : `  ${visible(line.trim())}`)).join("\n");
}

/** JSON that says the same, without a character that does something to a terminal. */
export function visibleJson(value: unknown): string {
  const unit = (character: string, at: number) =>
    `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, 2)
    .split("\n")
    .map((line) =>
      line.replace(unsafe, (found) => [...Array(found.length).keys()].map((at) => unit(found, at)).join("")),
    )
    .join("\n");
}

/** Text in colour on a terminal, unless NO_COLOR is set. What was not written by this program goes through `visible` first. */
export function painted(
  colour: "green" | "red" | "yellow",
  text: string,
  stream: { readonly isTTY?: boolean } = process.stdout,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const shown = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  return shown ? styleText(colour, text, { validateStream: false }) : text;
}
