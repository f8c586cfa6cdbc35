/**
 * The page that shows a folder. All storages share one origin, so whatever runs there runs as its visitor: it is
 * therefore this page alone, the proxy's own, and never anything that a storage answers with.
 */
import { createHash } from "node:crypto";
import { filled } from "../common/program.ts";
import { pageCss, pageHtml, pageJs } from "../made/programs.ts";

const style = `\n${pageCss}`;

export const folderPage = filled(pageHtml, { STYLE: style, SCRIPT: pageJs });

const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What the page may do, but for `connect-src`: that is its own storage. */
export const folderPagePolicy = [
  "default-src 'none'",
  `script-src ${digest(pageJs)}`,
  `style-src ${digest(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "connect-src ",
].join("; ");
