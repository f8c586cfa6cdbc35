/** Which values of a stack file are secret. They stand in it encrypted (`secure:`), or not at all. */
import type { YamlPath } from "./paths.ts";

/** Fields of any component that hold a secret if they hold text. */
const names: ReadonlySet<string> = new Set(["seed", "privateKey", "token", "password"]);

export function isSecretField(name: unknown): boolean {
  return typeof name === "string" && names.has(name);
}

/** Where `value` holds secrets. */
export function secretPaths(value: unknown, path: YamlPath = []): YamlPath[] {
  // Of a service account, `token` is whether there is one.
  if (typeof value === "string")
    return isSecretField(path.at(-1)) && path.at(-2) !== "serviceAccount" ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, inner]) => secretPaths(inner, [...path, key]));
}
