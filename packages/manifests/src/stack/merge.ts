/** A YAML map. */
export type Raw = Readonly<Record<string, unknown>>;

/** `own` over `defaults`, key by key; lists and plain values are replaced, never joined. */
export function withDefaults(defaults: Raw, own: Raw): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(own)) {
    const below = merged[key];
    merged[key] = isMap(below) && isMap(value) ? withDefaults(below, value) : value;
  }
  return merged;
}

export function isMap(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at `path`; undefined where the path ends early. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}
