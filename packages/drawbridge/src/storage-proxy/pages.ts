/** What the proxy itself answers. The storages answer everything else. */
import { createHash } from "node:crypto";
import { pageCss, pageHtml, pageJs } from "../generated/programs.ts";
import { filled } from "../kit/program.ts";

/** In words for people. */
export const pages = {
  unknown:
    "404: there is no storage at this address. Write it as /storage/<namespace>/<name>/ and check both names.\n",
  notReady:
    "503: this storage is not served now: it is still being prepared or started, or its accessor is switched off.\n",
  missing: "404: there is no such storage, or no such folder in it.\n",
  login: "401: give the user and password of this storage (Basic), or a token (Bearer).\n",
  forbidden: "403: this is not allowed to you.\n",
  foreign: "403: a page of another site or storage asked for this; open the address itself.\n",
  shareLink:
    "403: links with a token in them are not offered; give the address, and a login to whoever may see it.\n",
  tooLarge: "431: the request's headers are too large; 60 KiB are allowed.\n",
} as const;

const style = `\n${pageCss}`;

/**
 * The page that shows a folder. All storages share one origin, so whatever runs there runs as its visitor: it is
 * therefore this page alone, the proxy's own, and never anything that a storage answers with.
 */
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
