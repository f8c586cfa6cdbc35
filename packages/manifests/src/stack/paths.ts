import { formatPath } from "../common/args-error.ts";

/** A place in a stack file: keys and list positions. */
export type YamlPath = readonly (string | number)[];

/** `drawbridge:team.containers.dev1.authorizedKeys[0]`, as `pulumi config set --path` takes it. */
export function showPath([key, ...rest]: YamlPath): string {
  const below = formatPath(rest);
  return below === "" || below.startsWith("[") ? `${key}${below}` : `${key}.${below}`;
}

/** Reads back what {@link formatPath} wrote. */
export function parsePath(text: string): YamlPath {
  return [...text.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([A-Za-z_$][\w$]*)/g)].map((match) => {
    if (match[1] !== undefined) return Number(match[1]);
    return match[2] === undefined ? (match[3] ?? "") : (JSON.parse(`"${match[2]}"`) as string);
  });
}
