/**
 * Links from a page to files of the repository, such as `../examples/minimal`. On the site they lead to the repository
 * where its address is known (GITHUB_REPOSITORY, as in GitHub's own builds), else they are plain text.
 */
import type { MarkdownOptions } from "vitepress";

type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

type Rule = NonNullable<MarkdownIt["renderer"]["rules"][string]>;

const leaves = (href: string | null) => href?.startsWith("../") === true;

export function leaveSite(md: MarkdownIt, repository = process.env.GITHUB_REPOSITORY): void {
  // Before VitePress looks at links, whose check knows only the site's pages.
  md.core.ruler.push("leave-site", (state) => {
    for (const block of state.tokens) {
      const open: boolean[] = [];
      for (const token of block.children ?? []) {
        if (token.type === "link_open") {
          const href = token.attrGet("href");
          open.push(leaves(href));
          if (!leaves(href)) continue;
          if (repository === undefined) token.tag = "span";
          const path = href?.replace("../", "") ?? "";
          token.attrSet("href", `https://github.com/${repository}/blob/main/${path}`);
          if (repository === undefined) token.attrs = [];
        } else if (token.type === "link_close" && open.pop() && repository === undefined) token.tag = "span";
      }
    }
  });
  const render = md.renderer.rules.link_open as Rule;
  md.renderer.rules.link_open = (tokens, index, options, env, self) =>
    tokens[index]?.tag === "span"
      ? self.renderToken(tokens, index, options)
      : render(tokens, index, options, env, self);
}
