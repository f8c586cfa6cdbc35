/** What is left of a value when the parts that are at fault are taken out of it. */

type Path = readonly PropertyKey[];

export interface ValidPart {
  readonly value: unknown;
  /** Where a place in the valid part is in the original, whose lists may be longer. */
  original(path: Path): PropertyKey[];
}

export function isPlainObject(value: unknown): value is Record<PropertyKey, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether two places are the same, or one lies in the other. */
export function overlap(a: Path, b: Path): boolean {
  return a.slice(0, b.length).every((part, index) => part === b[index]);
}

/** A wrong field of an object goes alone; anything wrong in an item of a list takes the whole item with it. */
export function validPart(value: unknown, wrong: readonly Path[]): ValidPart {
  if (wrong.length === 0) return { value, original: (path) => [...path] };
  const below = (key: PropertyKey) => wrong.filter(([first]) => first === key).map((path) => path.slice(1));
  if (Array.isArray(value)) {
    const kept = [...value.keys()].filter((index) => below(index).length === 0);
    return {
      value: kept.map((index) => value[index]),
      original: ([index, ...rest]) => (index === undefined ? [] : [kept[index as number] ?? index, ...rest]),
    };
  }
  if (!isPlainObject(value)) return { value, original: (path) => [...path] };
  const parts = Object.keys(value)
    .filter((key) => !below(key).some((path) => path.length === 0))
    .map((key) => [key, validPart(value[key], below(key))] as const);
  const byKey = new Map<PropertyKey, ValidPart>(parts);
  return {
    value: Object.fromEntries(parts.map(([key, part]) => [key, part.value])),
    original: ([key, ...rest]) =>
      key === undefined ? [] : [key, ...(byKey.get(key)?.original(rest) ?? rest)],
  };
}
