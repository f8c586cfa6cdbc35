/** Leaf shapes of frp's arguments. None of their messages repeats a value: they may be secrets. */
import { z } from "zod";

import { imageReference } from "../../kubernetes/shapes.ts";
import { longSecret } from "../keys/secret-text.ts";

/** A seed or a token: long enough that nobody guesses it. */
export const secretText = longSecret.refine(
  (value) => /^[\x20-\x7e]*$/.test(value),
  "has a line break or a character outside ASCII; use one line of printable characters",
);

/** A SHA-256 hash as 64 lower-case hexadecimal digits. */
export const sha256Hex = z
  .string()
  .regex(
    /^[0-9a-f]{64}$/,
    "is not a SHA-256 hash; use 64 lower-case hexadecimal digits, from: printf %s TOKEN | sha256sum",
  );

/** One or more certificates in PEM. */
export const pemCertificates = z
  .string()
  .regex(
    /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/,
    "is not a CA bundle; use one or more PEM certificates, -----BEGIN CERTIFICATE----- …",
  );

/**
 * The oldest frp that is accepted. Older ones leak control connections when a half-open one is replaced, and
 * lack checks that the authorizer relies on.
 */
const minimumFrpVersion = "0.70.1";

/** A pinned frps or frpc image. A version in the tag is compared; other tags and digests pass unlooked at. */
export const frpImage = imageReference.refine(
  (value) => !isTooOld(value),
  `{{value}} is too old; use frp ${minimumFrpVersion} or later`,
);

function isTooOld(image: string): boolean {
  const version = /:v?(\d+)\.(\d+)\.(\d+)$/.exec(image)?.slice(1).map(Number);
  if (version === undefined) return false;
  const minimum = minimumFrpVersion.split(".").map(Number);
  const differing = minimum.findIndex((part, index) => part !== version[index]);
  return differing >= 0 && (version[differing] ?? 0) < (minimum[differing] ?? 0);
}
