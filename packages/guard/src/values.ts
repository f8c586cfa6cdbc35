/** Values inside a resource's inputs, and what stands there for those that a preview does not show. */
import { isMap, valueAt } from "@drawbridge-iac/drawbridge/src/stacks/yaml";

export type Inputs = Readonly<Record<string, unknown>>;

export const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A list inside inputs; empty where there is none. */
export function listAt(inputs: unknown, ...path: (string | number)[]): unknown[] {
  const value = at(inputs, ...path);
  return Array.isArray(value) ? value : [];
}

/** A map inside inputs; empty where there is none. */
export function mapAt(inputs: unknown, ...path: (string | number)[]): Inputs {
  const value = at(inputs, ...path);
  return isMap(value) ? value : {};
}

/** A value inside inputs by its path; undefined where the path ends early. */
export const at = (inputs: unknown, ...path: (string | number)[]) => valueAt(inputs, path);

/** Pulumi's placeholder for an unknown text. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const secretText = "[secret]";

/** Whether a text is, or holds, what is known at `up` only. */
export const isUnknown = (text: string) => text.includes(unknownText);

/** Whether something in it is not shown. */
export const hasHidden = (value: unknown) => hiddenPaths(value, "").length > 0;

/** Paths below `value` whose value is not shown. */
export function hiddenPaths(value: unknown, path: string): string[] {
  if (typeof value === "string") {
    return isUnknown(value) || value === secretText ? [path] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    hiddenPaths(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
  );
}
