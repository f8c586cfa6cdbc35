import type { Fault } from "./fault.ts";

/**
 * A value that a builder only puts somewhere and never looks into: plain, or one that the caller's engine
 * resolves later (a Pulumi Output or a Promise). This keeps the builders free of Pulumi while a Pulumi
 * program may still hand them outputs of other resources.
 */
export type Placed<T> = T | PromiseLike<T> | { apply<U>(func: (value: T) => U): unknown };

/** True for a value that is resolved later, so that checks on it must wait. */
export function isDeferred(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Unchecked) return true;
  const candidate = value as { __pulumiOutput?: unknown; then?: unknown };
  return candidate.__pulumiOutput === true || typeof candidate.then === "function";
}

/** A deferred argument together with what it must be; the one who brings the engine checks it when it is known. */
export class Unchecked<T> {
  readonly value: PromiseLike<T> | { apply<U>(func: (value: T) => U): unknown };
  /** What is wrong with the value, each fault below the argument's own path. */
  readonly faults: (value: T) => readonly Fault[];

  constructor(value: Unchecked<T>["value"], faults: Unchecked<T>["faults"]) {
    this.value = value;
    this.faults = faults;
  }
}

/** The value, where it is known now. */
export function known<T>(value: Placed<T> | undefined): T | undefined {
  return isDeferred(value) ? undefined : (value as T | undefined);
}

/** The name with a space before it, where it is known. */
export function nameOf(placed: Placed<string>): string {
  const name = known(placed);
  return name === undefined ? "" : ` ${name}`;
}

/** `change` of the value: at once where it is known, else when it is. */
export function whenKnown<T, U>(value: Placed<T>, change: (value: T) => U): Placed<U> {
  if (!isDeferred(value)) return change(value as T);
  if ("apply" in (value as object)) {
    return (value as { apply<V>(func: (value: T) => V): unknown }).apply(change) as Placed<U>;
  }
  return (value as PromiseLike<T>).then(change);
}
