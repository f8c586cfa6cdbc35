/** What may stand in a rule of dufs, whose syntax is `user:password@/:rw`, without an escape. */

import { z } from "zod";
import { code, says } from "../common/fault.ts";
import { matching } from "../common/shapes.ts";

export const minimumPasswordLength = 12;

export const accessUser = matching(/^[A-Za-z0-9._-]{1,64}$/, "not-a-storage-user");

// Messages never repeat a password.
export const accessPassword = z
  .string()
  .refine(
    (value) => value.length >= minimumPasswordLength,
    says("password-too-short", { least: minimumPasswordLength }),
  )
  .refine((value) => /^[\x21-\x7e]*$/.test(value) && !value.includes("@/") && !value.startsWith("$6$"), {
    error: code("not-a-dufs-password"),
  });
