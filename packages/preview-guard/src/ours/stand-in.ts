/** What stands in a component's arguments for a value that a preview does not show. It looks like one that comes later. */
import { type Deferred, isDeferred, type Settled } from "@drawbridge-iac/manifests";
import { isUnknown, secretText } from "../placeholder.ts";

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

function firstHidden(value: unknown): Hidden | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isDeferred(value)) return hiddenKind(value);
  for (const inner of Object.values(value)) {
    const hidden = firstHidden(inner);
    if (hidden !== undefined) return hidden;
  }
  return undefined;
}
