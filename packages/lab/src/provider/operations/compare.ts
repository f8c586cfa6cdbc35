import { isDeepStrictEqual } from "node:util";
import type { Path } from "../values/paths.ts";
import { isMap, UNKNOWN, type Value } from "../values/property.ts";

/** One difference between two values. */
export interface Difference {
  readonly path: Path;
  readonly kind: "add" | "delete" | "update";
}

/** The smallest differences between two values without secret marks. A value not known yet differs from everything. */
export function compare(before: Value | undefined, after: Value | undefined, path: Path = []): Difference[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ path, kind: "add" }];
  if (after === undefined) return [{ path, kind: "delete" }];
  if (isMap(before) && isMap(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => compare(before[key], after[key], [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) =>
      compare(before[index], after[index], [...path, index]),
    ).flat();
  }
  return after !== UNKNOWN && isDeepStrictEqual(before, after) ? [] : [{ path, kind: "update" }];
}

/**
 * Inputs as a refresh sees them: what the cluster changed since the state was written takes the cluster's value, all
 * else stays as the program wrote it, so that `0.5` and the server's `500m` are no drift. What the program never
 * mentioned is not looked at.
 */
export function drifted(input: Value, before: Value | undefined, now: Value | undefined): Value | undefined {
  if (isDeepStrictEqual(before, now) || now === undefined)
    return now === undefined && before !== undefined ? undefined : input;
  if (isMap(input) && isMap(now)) {
    const was = isMap(before) ? before : {};
    const entries = Object.entries(input).map(
      ([key, value]) => [key, drifted(value, was[key], now[key])] as const,
    );
    return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== undefined));
  }
  if (Array.isArray(input) && Array.isArray(now)) {
    const was = Array.isArray(before) ? before : [];
    return now.flatMap((value, index) => {
      const mine = input[index];
      return (mine === undefined ? value : drifted(mine, was[index], value)) ?? [];
    });
  }
  return now;
}
