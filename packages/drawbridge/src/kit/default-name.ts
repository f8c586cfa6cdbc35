import { z } from "zod";

/** Fields that get a name where they are left out. */
export const defaultNames = z.registry<{ readonly from: readonly string[] }>();

/**
 * A field for which the component's logical name stands where it is left out. That name must then be one that the field
 * takes: `readArgs` (args-error.ts) checks it.
 * @param from other arguments that stand for it before: the first that is given
 */
export function orLogicalName<S extends z.ZodType>(schema: S, ...from: readonly string[]): z.ZodOptional<S> {
  const optional = z.optional(schema);
  defaultNames.add(optional, { from });
  return optional;
}
