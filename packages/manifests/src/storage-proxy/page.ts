/**
 * The page that shows a folder. All storages share one origin, so whatever runs there runs as its visitor: it is
 * therefore this page alone, the proxy's own, and never anything that a storage answers with.
 */
import { createHash } from "node:crypto";
import { pageScript } from "./page-script.ts";

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 70rem; padding: 0 1rem; color: #1b1f24; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; }
nav { flex: 1; font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
td { border-bottom: 1px solid #e1e4e8; padding: .35rem .75rem .35rem 0; white-space: nowrap; }
td.name { white-space: normal; overflow-wrap: anywhere; width: 60%; }
td.acts > * { margin-right: .75rem; }
button { font: inherit; background: none; border: 0; padding: 0; color: #0550ae; cursor: pointer; }
a { color: #0550ae; text-decoration: none; }
a:hover, button:hover { text-decoration: underline; }
[hidden] { display: none; }
`;

export const folderPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Files</title><style>${style}</style></head>
<body><header><nav id="way"></nav>
<form id="searching" hidden><input id="word" type="search" placeholder="Search" aria-label="Search"></form>
<span id="adding" hidden><label>Upload <input id="files" type="file" multiple></label>
<button id="folder" type="button">New folder</button></span>
<a id="archive" href="" download hidden>Download all</a><span id="who"></span></header>
<p id="said" role="status"></p><ul id="uploads"></ul><table><tbody id="list"></tbody></table>
<script>${pageScript}</script></body></html>
`;

const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What the page may do, but for `connect-src`: that is its own storage. */
export const folderPagePolicy = [
  "default-src 'none'",
  `script-src ${digest(pageScript)}`,
  `style-src ${digest(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "connect-src ",
].join("; ");
