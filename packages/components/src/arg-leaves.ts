/** The single values in a component's arguments, each with its place. */

export type ArgPath = readonly (string | number)[];

export interface Leaf {
  readonly path: ArgPath;
  readonly value: unknown;
}

export function leavesOf(value: unknown, path: ArgPath = []): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => leavesOf(inner, [...path, index]));
  if (!isPlain(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** `value` with `change` of each of its leaves. */
export function mapped<T>(
  value: T,
  change: (leaf: unknown, path: ArgPath) => unknown,
  path: ArgPath = [],
): T {
  if (Array.isArray(value)) return value.map((inner, index) => mapped(inner, change, [...path, index])) as T;
  if (!isPlain(value)) return change(value, path) as T;
  const entries = Object.entries(value).map(([key, inner]) => [key, mapped(inner, change, [...path, key])]);
  return Object.fromEntries(entries) as T;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
