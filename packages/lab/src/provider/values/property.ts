/** The values of a Pulumi resource: JSON, plus what only a preview or an encrypted state knows. */

/** Stands for a value that a preview does not know yet. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** A value that the engine encrypts in the state and hides in its output. */
export class Secret {
  readonly value: Value;
  constructor(value: Value) {
    this.value = value;
  }
}

export type Value = null | boolean | number | string | typeof UNKNOWN | Secret | Value[] | ValueMap;
export interface ValueMap {
  [key: string]: Value;
}

/** An object of named values, as opposed to a list, a secret or a scalar. */
export function isMap(value: Value | undefined): value is ValueMap {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

/** The same value without its secret marks. Unknown values stay. */
export function reveal(value: Value): Value {
  if (value instanceof Secret) return reveal(value.value);
  if (Array.isArray(value)) return value.map(reveal);
  if (isMap(value)) return mapValues(value, reveal);
  return value;
}

/** The map inside a value that may be a secret; an empty one where there is none. */
export function mapOf(value: Value | undefined): ValueMap {
  const plain = value instanceof Secret ? reveal(value) : value;
  return isMap(plain) ? plain : {};
}

/** The text inside a value that may be a secret. */
export function textOf(value: Value | undefined): string | undefined {
  const plain = value instanceof Secret ? value.value : value;
  return typeof plain === "string" ? plain : undefined;
}

export function hasUnknown(value: Value | undefined): boolean {
  return some(value, (part) => part === UNKNOWN);
}

function hasSecret(value: Value | undefined): boolean {
  return some(value, (part) => part instanceof Secret);
}

/** A map whose entries with the value null are gone, at every depth: in a Pulumi program null means "not set". */
export function withoutNulls(value: ValueMap): ValueMap {
  const kept = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(kept.map(([key, part]) => [key, nullsDropped(part)]));
}

function nullsDropped(value: Value): Value {
  if (value instanceof Secret) return new Secret(nullsDropped(value.value));
  if (Array.isArray(value)) return value.map(nullsDropped);
  return isMap(value) ? withoutNulls(value) : value;
}

export function mapValues(map: ValueMap, change: (value: Value) => Value): ValueMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

function some(value: Value | undefined, matches: (part: Value) => boolean): boolean {
  if (value === undefined) return false;
  if (matches(value)) return true;
  if (value instanceof Secret) return some(value.value, matches);
  if (Array.isArray(value)) return value.some((part) => some(part, matches));
  return isMap(value) && Object.values(value).some((part) => some(part, matches));
}

/**
 * Marks as secret in `values` what is secret in `like`, value by value, so that one secret in a big object hides only
 * itself. A list with a secret in it becomes secret as a whole, since the server may order it differently. The data of
 * a Kubernetes Secret is secret whatever the program said.
 */
export function keepSecrets(values: ValueMap, like: ValueMap): ValueMap {
  const marked = markLike(values, like);
  if (marked.kind !== "Secret") return marked;
  const hidden = ["data", "stringData"].filter((key) => marked[key] !== undefined);
  return { ...marked, ...Object.fromEntries(hidden.map((key) => [key, asSecret(marked[key]!)])) };
}

function markLike(values: ValueMap, like: ValueMap): ValueMap {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const model = like[key];
      if (isMap(value) && isMap(model)) return [key, markLike(value, model)];
      return [key, hasSecret(model) ? asSecret(value) : value];
    }),
  );
}

function asSecret(value: Value): Secret {
  // The engine refuses a secret inside a secret, hence the reveal.
  return value instanceof Secret ? value : new Secret(reveal(value));
}
