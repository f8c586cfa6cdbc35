/** The plain data of a stack's file: its maps, the places in it, and values over defaults. */
import { InvalidText } from "../kit/fault.ts";
import { Secret } from "../kit/secret.ts";
import { formatPath } from "../kit/zod-faults.ts";

/** A YAML map; a secret in the place of one is none. */
export type Raw = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

/** The value if it is a map, otherwise an empty one. */
export const asMap = (value: unknown): Raw => (isMap(value) ? value : {});

/** Whether Pulumi keeps the value encrypted: as a map with the one key `secure`. */
export const isEncrypted = (value: Raw): boolean =>
  Object.keys(value).length === 1 && typeof value.secure === "string";

/** `own` over `defaults`, key by key; lists and plain values are replaced, never joined. */
export function withDefaults(defaults: Raw, own: Raw): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(own)) {
    const below = merged[key];
    merged[key] = isMap(below) && isMap(value) ? withDefaults(below, value) : value;
  }
  return merged;
}

/** A place in a stack file: keys and list positions. */
export type YamlPath = readonly (string | number)[];

/** The value at `path`; undefined where the path ends early. */
export function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );
}

/** Whether a place is the one that `start` names, or below it. */
export function startsWith(path: YamlPath, start: YamlPath): boolean {
  return start.every((part, index) => path[index] === part);
}

/** `drawbridge:team.containers.dev1.authorizedKeys[0]`, as `pulumi config set --path` takes it. */
export function showPath([key, ...rest]: YamlPath): string {
  const below = formatPath(rest);
  return below === "" || below.startsWith("[") ? `${key}${below}` : `${key}.${below}`;
}

/** The most values that a file may hold, each counted wherever an alias repeats it, the most aliases, and levels. */
const mostValues = 100_000;
const mostAliases = 10_000;
const mostLevels = 100;

const tooDeep = () => new InvalidText(`is nested more than ${mostLevels} levels deep; write it flatter`);

/** How much a value holds, and how many levels it has. */
interface Extent {
  readonly size: number;
  readonly levels: number;
}

/**
 * The data itself, if it is no larger than that: aliases can make more values of a kilobyte than memory holds. It counts
 * each shared value once, so it takes no more time than the text is long.
 */
export function bounded<T>(data: T): T {
  const extents = new Map<object, Extent>();
  const extentOf = (value: unknown, depth: number): Extent => {
    if (typeof value !== "object" || value === null) return { size: 1, levels: 0 };
    const known = extents.get(value);
    if (known !== undefined) return known;
    if (depth > mostLevels) throw tooDeep();
    // What holds itself would never end.
    extents.set(value, { size: Number.POSITIVE_INFINITY, levels: 1 });
    const inner = Object.values(value).map((one) => extentOf(one, depth + 1));
    const size = inner.reduce((sum, one) => sum + one.size, 1);
    const levels = inner.reduce((most, one) => Math.max(most, one.levels), 0) + 1;
    extents.set(value, { size, levels });
    return { size, levels };
  };
  const { size, levels } = extentOf(data, 1);
  if (size > mostValues)
    throw new InvalidText(
      `holds more than ${mostValues} values, each counted wherever an alias repeats it; repeat smaller parts, or split the file`,
    );
  if (levels > mostLevels) throw tooDeep();
  return data;
}

/**
 * What `read` makes of the text with the package `yaml`, if it holds no more aliases than that, which the package looks up
 * one by one among all, and if the package comes to the end of it.
 */
export function readYaml<T>(text: string, read: (text: string) => T): T {
  if (text.split("*", mostAliases + 2).length > mostAliases + 1)
    throw new InvalidText(
      `holds more than ${mostAliases} aliases or other signs *; repeat larger parts, or split the file`,
    );
  try {
    return read(text);
  } catch (error) {
    throw isExhausted(error) ? tooDeep() : error;
  }
}

/** Whether it is about the call stack, in Node's words or the package's. */
export const isExhausted = (error: unknown): boolean =>
  error instanceof RangeError || valueAt(error, ["code"]) === "RESOURCE_EXHAUSTION";
