/**
 * A line of nothing but links to one example's programs, such as `[Python](../examples/minimal/python/__main__.py)`,
 * becomes tabs with the programs themselves. In the repository it stays a line of links.
 */
import type { MarkdownOptions } from "vitepress";

type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

const link = /\[([^\]]+)\]\(\.\.\/(examples\/[^)]+\.\w+)\)/;
const lineOfLinks = new RegExp(`^${link.source}(?: · ${link.source})+$`, "gm");

export function programTabs(md: MarkdownIt): void {
  md.core.ruler.before("normalize", "program-tabs", (state) => {
    state.src = withTabs(state.src);
  });
}

export function withTabs(page: string): string {
  return page.replaceAll(lineOfLinks, (line) => {
    const programs = [...line.matchAll(new RegExp(link, "g"))];
    const tabs = programs.map(([, label, file]) => `<<< @/../${file} [${label}]`);
    return ["::: code-group", ...tabs, ":::"].join("\n\n");
  });
}
