/** Code of a word or two, such as `node --version`, gets a class by which the style sheet keeps it in one line. */
import type { MarkdownOptions } from "vitepress";

type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** What fits a column of a table. */
const longest = 16;

export function keepShortCode(md: MarkdownIt): void {
  md.core.ruler.push("keep-short-code", (state) => {
    const inline = state.tokens.flatMap(({ children }) => children ?? []);
    for (const token of inline) {
      if (token.type === "code_inline" && token.content.length <= longest) token.attrJoin("class", "short");
    }
  });
}
