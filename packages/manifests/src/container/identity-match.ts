/** Which client certificates may open one container's tunnel, as a header match on its route. */

// A quoted part of the header; Envoy escapes a quote inside a certificate's subject with a backslash.
const quoted = String.raw`"([^"\\]|\\.)*"`;

// No character at all, which no text has.
const never = String.raw`[^\s\S]`;

/**
 * An RE2 expression for the whole `x-forwarded-client-cert` header, which the gateway's Envoy writes itself from the
 * certificate it has verified (and removes where there was none). Everything before `URI=` is spelt out, so that no
 * other part of a certificate, such as its subject, can pass for a URI.
 */
export function clientCertificatePattern(identities: readonly string[]): string {
  // An empty list must match nobody, and an empty alternative would match a certificate without a URI.
  const uris =
    identities.length === 0 ? never : identities.map((uri) => uri.replace(/[.]/g, "\\.")).join("|");
  return `(By=[^;,"]*;)*Hash=[0-9a-f]+;(Cert=${quoted};)?(Chain=${quoted};)?Subject=${quoted};URI=(${uris})(;.*)?`;
}
