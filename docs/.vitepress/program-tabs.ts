/**
 * A paragraph of nothing but links to one example's programs, one a line, such as
 * `[Python](../examples/minimal/python/__main__.py)`, becomes tabs with the programs themselves. In the repository it
 * stays a row of links.
 */
import type { MarkdownOptions } from "vitepress";

type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

const link = /\[([^\]]+)\]\(\.\.\/(examples\/[^)]+\.\w+)\)/;
const rowOfLinks = new RegExp(`^${link.source}(?: ·\\n${link.source})+$`, "gm");

export function programTabs(md: MarkdownIt): void {
  md.core.ruler.before("normalize", "program-tabs", (state) => {
    state.src = withTabs(state.src);
  });
}

export function withTabs(page: string): string {
  return page.replaceAll(rowOfLinks, (row) => {
    const programs = [...row.matchAll(new RegExp(link, "g"))];
    const tabs = programs.map(([, label, file]) => `<<< @/../${file} [${label}]`);
    return ["::: code-group", ...tabs, ":::"].join("\n\n");
  });
}
