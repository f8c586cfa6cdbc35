/** A secret that is sent, or from which others are derived: too long to be guessed. */
import { z } from "zod";
import { wrong } from "../../kit/fault.ts";
import { minimumSeedLength } from "./host-key.ts";

export const longSecret = z.string().superRefine(({ length }, context) => {
  if (length >= minimumSeedLength) return;
  const params = { wrong: wrong("too-short", { least: minimumSeedLength }) };
  context.addIssue({ code: "custom", params, input: undefined });
});
