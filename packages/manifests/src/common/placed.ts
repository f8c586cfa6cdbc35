/**
 * A value that a builder only puts somewhere and never looks into: plain, or one that the caller's engine
 * resolves later (a Pulumi Output or a Promise). This keeps the builders free of Pulumi while a Pulumi
 * program may still hand them outputs of other resources.
 */
export type Placed<T> = T | PromiseLike<T> | { apply<U>(func: (value: T) => U): unknown };

/** True for a value that is resolved later, so that checks on it must wait. */
export function isDeferred(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const candidate = value as { __pulumiOutput?: unknown; then?: unknown };
  return candidate.__pulumiOutput === true || typeof candidate.then === "function";
}
