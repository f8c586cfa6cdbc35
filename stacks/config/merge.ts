/** `own` over `defaults`, key by key; lists and plain values are replaced, never joined. */
export function withDefaults(
  defaults: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(own)) {
    const below = merged[key];
    merged[key] = isMap(below) && isMap(value) ? withDefaults(below, value) : value;
  }
  return merged;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
