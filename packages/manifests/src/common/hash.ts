import { createHash } from "node:crypto";

/** A short stable hash of plain data, independent of the order of its keys. */
export function hashOf(value: unknown, length = 12): string {
  return createHash("sha256")
    .update(JSON.stringify(withSortedKeys(value)))
    .digest("hex")
    .slice(0, length);
}

/** Plain data with the keys of its maps in order, since their order means nothing. */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, withSortedKeys(inner)]),
  );
}
