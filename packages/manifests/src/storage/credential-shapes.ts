/** What may stand in a rule of dufs, whose syntax is `user:password@/:rw`, without an escape. */
import { z } from "zod";

export const minimumPasswordLength = 12;

export const accessUser = z.string().refine((value) => /^[A-Za-z0-9._-]{1,64}$/.test(value), {
  error: (issue) =>
    `${JSON.stringify(issue.input)} is not usable as a user's name; use up to 64 letters, digits, ".", "_" and "-"`,
});

// Messages never repeat a password.
export const accessPassword = z
  .string({ error: "must be a string" })
  .refine((value) => value.length >= minimumPasswordLength, {
    error: `is too short; give at least ${minimumPasswordLength} characters, for example from: openssl rand -hex 16`,
  })
  .refine((value) => /^[\x21-\x7e]*$/.test(value) && !value.includes("@/") && !value.startsWith("$6$"), {
    error:
      'holds what dufs cannot take; use printable ASCII without spaces, without "@/" and not beginning with "$6$"',
  });
