/** What stands in a component's arguments for a value that a preview does not show, and how what is made of it compares. */
import { type Deferred, isDeferred, type Settled } from "@drawbridge-iac/drawbridge/src/kit/input";
import type { Resolve } from "@drawbridge-iac/drawbridge/src/kit/resolve";
import { isUnknown, secretText } from "../values.ts";

/** Known at `up` only; secret; or public, made of a secret, so that a preview shows what nobody can make again. */
export type Hidden = "unknown" | "secret" | "derived";

const kinds = new WeakMap<object, Hidden>();

export function standIn<T>(hidden: Hidden): Deferred<T> {
  // Whatever is made of it is as hidden as it is, and so are its fields.
  const value = { __pulumiOutput: true, apply: () => standIn(hidden) };
  const proxy = new Proxy(value, {
    get: (target, key) => {
      if (key in target || key === "then" || typeof key === "symbol") return Reflect.get(target, key);
      return standIn(hidden);
    },
  });
  kinds.set(proxy, hidden);
  return proxy as unknown as Deferred<T>;
}

export function hiddenKind(value: unknown): Hidden | undefined {
  return typeof value === "object" && value !== null ? kinds.get(value) : undefined;
}

/** Arguments as a preview shows them, with stand-ins for its masks. */
export function withStandIns(value: unknown): unknown {
  if (typeof value === "string") {
    if (value === secretText) return standIn("secret");
    return isUnknown(value) ? standIn("unknown") : value;
  }
  if (Array.isArray(value)) return value.map(withStandIns);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withStandIns(inner)]));
}

/** `make` of a value in which all is known; else a stand-in, hidden as `as` says or as what is hidden in the value. */
export function whenShown<T, U>(value: T, make: (value: Settled<T>) => U, as?: Hidden): U | Deferred<U> {
  const hidden = firstHidden(value);
  return hidden === undefined ? make(value as Settled<T>) : standIn<U>(as ?? hidden);
}

/** What components make of secrets: the real thing where those are shown, as to a policy pack, else what stands for it. */
export const standIns: Resolve = {
  secret: (of, make) => whenShown(of, make, "secret"),
  derived: (of, make) => whenShown(of, make, "derived"),
  mark: () => standIn("derived"),
  plain: (of, make) => whenShown(of, make),
};

function firstHidden(value: unknown): Hidden | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isDeferred(value)) return hiddenKind(value);
  for (const inner of Object.values(value)) {
    const hidden = firstHidden(inner);
    if (hidden !== undefined) return hidden;
  }
  return undefined;
}

/** A leaf that is not as it is made of the component's arguments. */
export interface Difference {
  /** `["spec", "template", "spec", "hostPID"]` */
  readonly at: readonly string[];
  /** Undefined where it is left out. */
  readonly shown: unknown;
}

/**
 * Leaf by leaf: what a builder makes, and what a preview shows.
 * @param isSecret whether it is a Secret, the one place for secrets, whose data previews hide as a whole
 */
export function differences(made: unknown, shown: unknown, isSecret: boolean): Difference[] {
  const found: Difference[] = [];
  walk(made, shown, []);
  return found;

  function walk(one: unknown, other: unknown, path: readonly string[]): void {
    if (one === other || isMasked(one, other, path)) return;
    const isLeaf = hiddenKind(one) !== undefined || Array.isArray(one) !== Array.isArray(other);
    if (isLeaf || !isTree(one) || !isTree(other)) {
      found.push({ at: path, shown: other });
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      walk(one[key], other[key], [...path, key]);
  }

  function isMasked(one: unknown, other: unknown, path: readonly string[]): boolean {
    if (isSecret && path.length === 1 && path[0] === "data") return isMask(other);
    switch (hiddenKind(one)) {
      case "unknown":
        return isMask(other);
      case "secret":
        return isSecret && path[0] === "data" && typeof other === "string";
      case "derived":
        return typeof other === "string";
      default:
        return false;
    }
  }
}

const isMask = (value: unknown) => typeof value === "string" && (value === secretText || isUnknown(value));

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;
