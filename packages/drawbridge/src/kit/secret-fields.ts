/**
 * Which arguments are secret: those of which a Secret is made, and no others. In a stack file they stand encrypted
 * (`secure:`), and a component marks them; any other argument that is marked as one is refused.
 */
import { type Wrong, wrong } from "./fault.ts";

type Path = readonly (string | number)[];

/** Fields of any component that hold a secret if they hold text. */
const fields: ReadonlySet<unknown> = new Set(["seed", "privateKey", "token", "password"]);
/** Maps whose every value is one. */
const maps: ReadonlySet<unknown> = new Set(["secretEnv"]);
/** Groups in which a field of such a name is no secret: a service account's `token` says whether it has one. */
const exceptions: ReadonlySet<unknown> = new Set(["serviceAccount", "env"]);

/** Whether a text at `path` is a secret. */
export function isSecretField(path: Path): boolean {
  const [holder, name] = path.length > 1 ? path.slice(-2) : [undefined, ...path];
  if (maps.has(holder)) return typeof name === "string";
  return fields.has(name) && !exceptions.has(holder);
}

/** What is wrong with a secret anywhere else: an object would hold it that is readable in the cluster. */
export const exposed = (path: Path): Wrong =>
  path.at(-2) === "env" ? wrong("secret-in-env") : wrong("secret-in-the-open");

export const isExposure = ({ code }: Wrong): boolean =>
  code === "secret-in-env" || code === "secret-in-the-open";

/** Where `value` holds secrets. */
export function secretPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value === "string") return isSecretField(path) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, inner]) => secretPaths(inner, [...path, key]));
}
