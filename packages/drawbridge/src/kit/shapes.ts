/** What leaf shapes are made of, and those that no field of Kubernetes has. */
import { z } from "zod";
import { code, says } from "./fault.ts";
import type { Code } from "./fault-texts.ts";

/** @param mistake a more precise fault for some values */
export const text = (
  pattern: RegExp,
  maximum: number,
  otherwise: Code,
  mistake: (value: string) => Code | undefined = () => undefined,
) =>
  z.string().superRefine((value, context) => {
    const found = mistake(value) ?? (value.length <= maximum && pattern.test(value) ? undefined : otherwise);
    if (found !== undefined) context.addIssue({ code: "custom", message: found, input: value });
  });

/**
 * Text of this pattern. zod's own `regex` would write the pattern into the schema for editors, which then show it instead of
 * what is wrong.
 */
export const matching = (pattern: RegExp, otherwise: Code) =>
  z.string().refine((value) => pattern.test(value), { error: code(otherwise) });

/** A whole number within bounds, with its unit in the message. */
export const whole = (minimum: number, maximum: number, unit: string) =>
  z
    .int()
    .refine(
      (value) => value >= minimum && value <= maximum,
      says("out-of-range", { minimum, maximum, unit }),
    );

/** Labels or annotations. */
export const stringMap = z.record(z.string(), z.string());
