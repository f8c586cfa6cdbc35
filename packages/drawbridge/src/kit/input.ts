import type { Input, OutputInstance } from "@pulumi/pulumi";
import { Secret } from "./secret.ts";

/** Pulumi's: a plain value, or one that is known later. A builder puts it somewhere and never looks into it. */
export type { Input };

/** A value that is known later: Pulumi's Output. */
export type Deferred<T = unknown> = Promise<T> | OutputInstance<T>;

/** `T` when everything in it is known. */
export type Settled<T> =
  T extends PromiseLike<infer V>
    ? Settled<V>
    : T extends { apply(func: (value: infer V) => never): unknown }
      ? Settled<V>
      : T extends readonly (infer E)[]
        ? readonly Settled<E>[]
        : T extends object
          ? { [K in keyof T]: Settled<T[K]> }
          : T;

/**
 * Makes something of arguments once they are known: a component has an Output of it, the guard a stand-in if a preview hides
 * one of them.
 */
export type MakeWhenKnown<U, R> = <T>(of: T, make: (known: Settled<T>) => U) => R;

/** `T` with some of its fields known. */
export type Known<T, K extends keyof T> = Omit<T, K> & Settled<Pick<T, K>>;

/** Whether the value is known later, or is a secret; checks of it wait until then, or are made by its row alone. */
export function isDeferred(value: unknown): value is Deferred {
  if (value instanceof Secret) return true;
  if (typeof value !== "object" || value === null) return false;
  const candidate = value as { __pulumiOutput?: unknown; then?: unknown };
  return candidate.__pulumiOutput === true || typeof candidate.then === "function";
}

/** The value, where it is known now. */
export function known<T>(value: Input<T> | undefined): T | undefined {
  return isDeferred(value) ? undefined : (value as T | undefined);
}

/** The name after a space; empty where it is not known yet. */
export function nameOf(value: Input<string>): string {
  const name = known(value);
  return name === undefined ? "" : ` ${name}`;
}

/** Applies `change` now if the value is known, otherwise when it is. */
export function whenKnown<T, U>(value: Input<T>, change: (value: T) => U): Input<U> {
  if (!isDeferred(value)) return change(value as T);
  if ("apply" in (value as object)) {
    return (value as { apply<V>(func: (value: T) => V): unknown }).apply(change) as Input<U>;
  }
  return (value as Promise<T>).then(change);
}

/** The value, or `other` if it turns out to be undefined. */
export function orElse<T>(value: Input<T | undefined> | undefined, other: Input<T>): Input<T> {
  return joined(whenKnown(value as Input<T | undefined>, (known) => known ?? other));
}

/** Applies `change` to a list of values: now if all are known, otherwise when they are. */
export function whenAllKnown<T, U>(values: readonly Input<T>[], change: (values: T[]) => U): Input<U> {
  const [first, ...rest] = values;
  if (values.length === 0) return change([]);
  return joined(
    whenKnown(first as Input<T>, (one) => whenAllKnown(rest, (others) => change([one, ...others]))),
  );
}

/** Applies `change` to a record of values, in the same way. */
export function whenRecorded<T, U>(
  record: Readonly<Record<string, Input<T>>>,
  change: (record: Record<string, T>) => U,
): Input<U> {
  return whenAllKnown(Object.values(record), (values) => change(withValues(record, values)));
}

/** The record with these values in the place of its own, in their order. */
export function withValues<T>(
  record: Readonly<Record<string, unknown>>,
  values: readonly T[],
): Record<string, T> {
  return Object.fromEntries(Object.keys(record).map((name, index) => [name, values[index] as T]));
}

/** Applies `make` to a value in which any part may come later: now if all of it is known, otherwise when it is. */
export function whenSettled<T, U>(value: T, make: (known: Settled<T>) => U): Input<U> {
  const parts = settled(value);
  return joined(whenKnown(parts, make));
}

function settled<T>(value: T): Input<Settled<T>> {
  if (isDeferred(value)) return joined(whenKnown(value as Input<T>, settled));
  if (!isTree(value)) return value as Settled<T>;
  const keys = Object.keys(value);
  return whenAllKnown(
    keys.map((key) => settled((value as Record<string, unknown>)[key])),
    (known) =>
      (Array.isArray(value)
        ? known
        : Object.fromEntries(keys.map((key, index) => [key, known[index]]))) as Settled<T>,
  );
}

/** A list as a field has it: none where it is empty, or comes to nothing. */
export function listIfAny<T>(list: InputList<T>): Input<Input<T>[]> | undefined {
  return ifThere(whenKnown(list, (all) => (all.length === 0 ? undefined : [...all])));
}

/** A field that is left out where its value comes to nothing. */
export const ifThere = <T>(value: Input<T | undefined>) => value as Input<T> | undefined;

/** Type of the value when all in it is known: an Output of an Output is one Output. */
const joined = <T>(value: Input<Input<T>>) => value as Input<T>;

/** A list that is known later as a whole, or of which single items are. */
export type InputList<T> = Input<readonly Input<T>[]>;

/** Applies `change` to a list: now if all of it is known, otherwise when it is. */
export function whenListed<T, U>(list: InputList<T>, change: (items: readonly T[]) => U): Input<U> {
  return joined(whenKnown(list, (items) => whenAllKnown(items, change)));
}

/** Both lists in one. */
export function joinedLists<T>(one: InputList<T>, other: InputList<T>): Input<Input<T>[]> {
  return joined(whenKnown(one, (first) => whenKnown(other, (second) => [...first, ...second])));
}

/**
 * `later`, as far as it is known now, so that a preview hides no more of it. `one` and `other` are made as it will be, of
 * two stand-ins for what comes later: what is the same in both is known, what differs waits.
 */
export function knownWhereEqual<T>(one: T, other: T, later: Input<T>): T {
  if (!isDeferred(later)) return later as T;
  if (one === other) return one;
  if (!isTree(one) || !isTree(other)) return later as T;
  if (Array.isArray(one) && one.length !== (other as unknown[]).length) return later as T;
  const below = [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => {
    const at = (tree: unknown) => (tree as Record<string, unknown> | undefined)?.[key];
    return [key, knownWhereEqual(at(one), at(other), whenKnown(later, at))] as const;
  });
  return (Array.isArray(one) ? below.map(([, inner]) => inner) : Object.fromEntries(below)) as T;
}

const isTree = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !isDeferred(value);

/** The items that are known now. */
export function knownItems<T>(list: InputList<T>): T[] {
  return (known(list) ?? []).flatMap((item) => (isDeferred(item) ? [] : [item as T]));
}

/** The list, where all of it is known. */
export function knownList<T>(list: InputList<T> | undefined): readonly T[] | undefined {
  const items = known(list);
  return items?.some(isDeferred) ? undefined : (items as readonly T[] | undefined);
}

/** Whether the list is known to be empty. A list that is known later counts as not empty. */
export function isEmpty(list: InputList<unknown> | undefined): boolean {
  return list !== undefined && !isDeferred(list) && list.length === 0;
}

/** Template text with values that may be known later. In a plain template, an Output would print its own name. */
export function text(
  parts: TemplateStringsArray,
  ...values: readonly Input<string | number>[]
): Input<string> {
  return whenAllKnown(values, (known) => String.raw({ raw: parts }, ...known));
}

/** Whether both values are known and equal. */
export function same<T>(one: Input<T> | undefined, other: Input<T> | undefined): boolean {
  const value = known(one);
  return value !== undefined && value === known(other);
}

/** Whether both values are known and differ. A value that is known later is compared then. */
export function differ<T>(one: Input<T> | undefined, other: Input<T> | undefined): boolean {
  return !isDeferred(one) && !isDeferred(other) && one !== other;
}
