/**
 * What a container's route matches by, and which texts of it the gateway's policy takes: these and no others. istiod takes
 * every pattern of Go's, Envoy only RE2's; with one that it does not take it refuses the routes of everybody.
 */

/**
 * Envoy strips the port before it compares a name with `hosts`, whatever its case; only the port is left to match.
 * A match of the whole authority would tell upper from lower case, and would stand in the route table once a name.
 */
export const portPattern = (port: number | string) => `[^:]+:${port}`;

export const certificateHeader = "x-forwarded-client-cert";

// A quoted part of the header; Envoy escapes a quote inside a certificate's subject with a backslash.
const quoted = String.raw`"([^"\\]|\\.)*"`;
const before = `(By=[^;,"]*;)*Hash=[0-9a-f]+;(Cert=${quoted};)?(Chain=${quoted};)?Subject=${quoted};URI=(`;
const behind = ")(;.*)?";

// No character at all, which no text has.
const never = String.raw`[^\s\S]`;

/** Istio's webhook takes no longer ones. */
export const longestPattern = 1024;

/**
 * Which client certificates may open one container's tunnel: an RE2 expression for the whole `x-forwarded-client-cert`
 * header, which the gateway's Envoy writes itself from the certificate it has verified (and removes where there was none).
 * Everything before `URI=` is spelt out, so that no other part of a certificate, such as its subject, can pass for a URI.
 */
export function clientCertificatePattern(identities: readonly string[]): string {
  // An empty list matches nobody; an empty alternative would match a certificate without a URI.
  const uris =
    identities.length === 0 ? never : identities.map((uri) => uri.replace(/[.]/g, "\\.")).join("|");
  return `${before}${uris}${behind}`;
}

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const uri = String.raw`spiffe://([a-z0-9_-]|\\[.])+(/([A-Za-z0-9_-]|\\[.])+)+`;

/** CEL: whether `text` is a pattern of `portPattern`. */
export const isPortPattern = (text: string) =>
  `${text}.matches(r'^${literally(portPattern(""))}[0-9]{1,5}$')`;

/** CEL: whether `text` is a pattern of `clientCertificatePattern`. */
export const isCertificatePattern = (text: string) =>
  `${text}.size() <= ${longestPattern} && ${text}.matches(r'^${literally(before)}(${literally(never)}|${uri}([|]${uri})*)${literally(behind)}$')`;
