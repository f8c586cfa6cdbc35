/**
 * The filter between storages in a visitor's browser. It stands in the proxy and not
 * beside the files: a team can put a server of its own behind its path, but not change this one.
 *
 * Nothing that a storage answers runs a script or acts with a login: it is shown in a sandbox without an origin.
 * The one page with rights is the proxy's own (`pages.ts`).
 */

import { visitorFilterLua } from "../generated/programs.ts";
import { envoyExtension } from "../istio/envoy.ts";
import { filled } from "../kit/program.ts";
import { folderPage, folderPagePolicy, pages } from "./pages.ts";

/** Dynamic metadata under this name holds what the access log tells of a request. */
export const visitorMetadata = "drawbridge";

const sandbox = [
  "sandbox",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

// A browser's players for these types do not start in a sandbox. They give no access to the origin, and are never a page.
const viewer = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "media-src 'self'",
  "object-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Within quotes, which JSON and Lua write alike. */
const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

const source = filled(visitorFilterLua, {
  PAGE: folderPage,
  METADATA: visitorMetadata,
  LOGIN: quoted(pages.login),
  FORBIDDEN: quoted(pages.forbidden),
  MISSING: quoted(pages.missing),
  NOT_READY: quoted(pages.notReady),
  UNKNOWN: quoted(pages.unknown),
  FOREIGN: quoted(pages.foreign),
  SHARE_LINK: quoted(pages.shareLink),
  SANDBOX: quoted(sandbox),
  VIEWER: quoted(viewer),
  PAGE_POLICY: quoted(folderPagePolicy),
});

export const visitorFilter = envoyExtension("visitor_wall", "extensions.filters.http.lua.v3.Lua", {
  default_source_code: { inline_string: source },
});
