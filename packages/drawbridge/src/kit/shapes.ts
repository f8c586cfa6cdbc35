/** What leaf shapes are made of, and those that no field of Kubernetes has. */
import { z } from "zod";

/**
 * @param otherwise the message
 * @param mistake a more precise one for some values
 */
export const text = (
  pattern: RegExp,
  maximum: number,
  otherwise: string,
  mistake: (value: string) => string | undefined = () => undefined,
) =>
  z.string().superRefine((value, context) => {
    const found = mistake(value) ?? (value.length <= maximum && pattern.test(value) ? undefined : otherwise);
    if (found !== undefined) context.addIssue({ code: "custom", message: found, input: value });
  });

/**
 * Text of this pattern. zod's own `regex` would write the pattern into the schema for editors, which then show it instead of
 * what is wrong.
 */
export const matching = (pattern: RegExp, otherwise: string) =>
  z.string().refine((value) => pattern.test(value), otherwise);

/** A whole number within bounds, with its unit in the message. */
export const whole = (minimum: number, maximum: number, unit: string) =>
  z
    .int()
    .refine(
      (value) => value >= minimum && value <= maximum,
      `{{value}} is out of range; use a whole number of ${unit} from ${minimum} to ${maximum}`,
    );
