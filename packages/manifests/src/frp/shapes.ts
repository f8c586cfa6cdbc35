/** Leaf shapes of frp's arguments. None of their messages repeats a value: they may be secrets. */

import { z } from "zod";
import { code } from "../common/fault.ts";
import { longSecret } from "../ssh/secret-text.ts";

/** A seed or a token: long enough that nobody guesses it. */
export const secretText = longSecret.refine((value) => /^[\x20-\x7e]*$/.test(value), code("not-printable"));

/** A SHA-256 hash as 64 lower-case hexadecimal digits. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, code("not-a-sha256"));

/** One or more certificates in PEM. */
export const pemCertificates = z
  .string()
  .regex(
    /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/,
    code("not-a-ca-bundle"),
  );
