/** A secret that things are derived from, or that is sent: long enough that nobody guesses it. */
import { z } from "zod";
import { wrong } from "../common/fault.ts";
import { minimumSeedLength } from "./host-key.ts";

export const longSecret = z.string().superRefine(({ length }, context) => {
  if (length >= minimumSeedLength) return;
  const params = { wrong: wrong("too-short", { length, least: minimumSeedLength }) };
  context.addIssue({ code: "custom", params, input: undefined });
});
