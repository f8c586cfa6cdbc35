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

/** The most values that a file may hold, each counted wherever an alias repeats it, and the most aliases. */
const mostValues = 100_000;
const mostAliases = 10_000;

/**
 * The data itself, if it is no larger than that: aliases can make more values of a kilobyte than memory holds. It counts
 * each shared value once, so it takes no more time than the text is long.
 */
export function bounded<T>(data: T): T {
  const sizes = new Map<object, number>();
  const sizeOf = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    // What holds itself would never end.
    sizes.set(value, Number.POSITIVE_INFINITY);
    const size = Object.values(value).reduce((sum, inner) => sum + sizeOf(inner), 1);
    sizes.set(value, size);
    return size;
  };
  if (sizeOf(data) > mostValues)
    throw new InvalidText(
      `holds more than ${mostValues} values, each counted wherever an alias repeats it; repeat smaller parts, or split the file`,
    );
  return data;
}

/** The text itself, if it holds no more aliases than that: the package `yaml` looks each one up among all. */
export function withFewAliases(text: string): string {
  if (text.split("*", mostAliases + 2).length <= mostAliases + 1) return text;
  throw new InvalidText(
    `holds more than ${mostAliases} aliases or other signs *; repeat larger parts, or split the file`,
  );
}
