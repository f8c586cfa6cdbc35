import { compact, type Manifest } from "./manifest.ts";
import type { Owner } from "./own-namespace.ts";
import type { Placed } from "./placed.ts";

/** A ConfigMap with these files; one that is undefined is left out. */
export function configMap(
  name: Placed<string>,
  { namespace, labels }: Owner,
  files: Readonly<Record<string, Placed<string> | undefined>>,
): Manifest<"ConfigMap"> {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, labels }, data: compact(files) };
}
