/** The leaves of a component's arguments, each with its path. */
import { isDeferred } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";

export type ArgPath = readonly (string | number)[];

export interface Leaf {
  readonly path: ArgPath;
  readonly value: unknown;
}

export function leavesOf(value: unknown, path: ArgPath = []): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => leavesOf(inner, [...path, index]));
  if (!hasParts(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** Applies `change` to each leaf of `value`. */
export function mapped<T>(
  value: T,
  change: (leaf: unknown, path: ArgPath) => unknown,
  path: ArgPath = [],
): T {
  if (Array.isArray(value)) return value.map((inner, index) => mapped(inner, change, [...path, index])) as T;
  if (!hasParts(value)) return change(value, path) as T;
  const entries = Object.entries(value).map(([key, inner]) => [key, mapped(inner, change, [...path, key])]);
  return Object.fromEntries(entries) as T;
}

/** Pulumi serialises any object, whatever its class, so all are walked. */
function hasParts(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !isDeferred(value) && !pulumi.Resource.isInstance(value)
  );
}
