import { formatPath } from "../common/args-error.ts";

/** A place in a stack file: keys and list positions. */
export type YamlPath = readonly (string | number)[];

/** `drawbridge:team.containers.dev1.authorizedKeys[0]`, as `pulumi config set --path` takes it. */
export function showPath([key, ...rest]: YamlPath): string {
  const below = formatPath(rest);
  return below === "" || below.startsWith("[") ? `${key}${below}` : `${key}.${below}`;
}
