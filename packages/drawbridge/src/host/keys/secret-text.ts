/** A secret that is sent, or from which others are derived: too long to be guessed. */
import { z } from "zod";
import { minimumSeedLength } from "./host-key.ts";

export const longSecret = z
  .string()
  .refine(
    ({ length }) => length >= minimumSeedLength,
    `is too short; use at least ${minimumSeedLength} characters, for example from: openssl rand -base64 32`,
  );
