import { z } from "zod";
import { showValue } from "./args-error.ts";
import { isDeferred, type Placed, Unchecked } from "./placed.ts";

/** An object that refuses unknown keys and names the known ones: a misspelt key must never do nothing. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown key ${(issue.keys as string[]).map((key) => JSON.stringify(key)).join(", ")}; known: ${known}`
        : undefined,
  });
}

/** The schema of the plain value behind each placed() leaf, for tools that export a JSON Schema. */
export const plainSchemaOf = new WeakMap<z.ZodType, z.ZodType>();

/** A leaf that may be resolved later: a plain value is checked now, a deferred one when it is known. */
export function placed<S extends z.ZodType>(inner: S) {
  const faults = (value: unknown) => {
    const result = inner.safeParse(value, { reportInput: true });
    return result.success ? [] : result.error.issues.map(({ path, message }) => ({ path, message }));
  };
  const leaf = z
    .custom<Placed<z.input<S>>>((value) => value !== undefined, "is missing")
    .superRefine((value, context) => {
      if (isDeferred(value)) return;
      for (const { path, message } of faults(value)) {
        context.addIssue({ code: "custom", message, path: [...path], input: undefined });
      }
    })
    .overwrite((value) =>
      isDeferred(value) && !(value instanceof Unchecked)
        ? (new Unchecked(value as never, faults) as never)
        : (value as never),
    );
  plainSchemaOf.set(leaf, inner);
  return leaf;
}

/** One of the values of a const object, as in `export const Color = { red: "red" } as const`. */
export function oneOf<const T extends Record<string, string>>(values: T) {
  const allowed = Object.values(values);
  return z.enum(allowed as [T[keyof T], ...T[keyof T][]], {
    error: (issue) => `${showValue(issue.input)} is not one of ${allowed.join(", ")}`,
  });
}

/** A check across fields that runs even when single fields are at fault, so that all faults come at once. */
export function across<S extends z.ZodType>(
  schema: S,
  check: (value: Partial<z.output<S>>, fault: (path: PropertyKey[], message: string) => void) => void,
): S {
  return schema.superRefine(
    (value, context) => {
      if (typeof value !== "object" || value === null) return;
      check(value as Partial<z.output<S>>, (path, message) => {
        context.addIssue({ code: "custom", path, message, input: undefined });
      });
    },
    { when: () => true },
  );
}
