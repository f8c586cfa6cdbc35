/** The plain data of a stack's file: its maps, the places in it, and values over defaults. */
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
