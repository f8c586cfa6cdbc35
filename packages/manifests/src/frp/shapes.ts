/** Leaf shapes of frp's arguments. None of their messages repeats a value: they may be secrets. */
import { z } from "zod";
import { minimumSeedLength } from "../ssh/host-key.ts";

/** A seed or a token: long enough that nobody guesses it. */
export const secretText = z
  .string({ error: "must be a string" })
  .refine((value) => value.length >= minimumSeedLength, {
    error: (issue) =>
      `is too short (${String(issue.input).length} characters); give at least ${minimumSeedLength}, for example from: openssl rand -base64 32`,
  })
  .refine((value) => /^[\x20-\x7e]*$/.test(value), {
    error: "holds a line break or a character outside ASCII; give one line of printable characters",
  });

/** A SHA-256 hash as 64 lower-case hexadecimal digits. */
export const sha256Hex = z.string({ error: "must be a string" }).regex(/^[0-9a-f]{64}$/, {
  error: "is not a SHA-256 hash; give 64 lower-case hexadecimal digits, from: printf %s TOKEN | sha256sum",
});

/** One or more certificates in PEM. */
export const pemCertificates = z
  .string({ error: "must be a string" })
  .regex(/^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/, {
    error: "is not a CA bundle; give one or more PEM certificates, -----BEGIN CERTIFICATE----- …",
  });
