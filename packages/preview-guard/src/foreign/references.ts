/** Names of one object in another. */
import { at } from "../finding.ts";

// Where a name stands that gives what it names.
const kindsByKey: Readonly<Record<string, string>> = {
  secretName: "core/Secret",
  secret: "core/Secret",
  secretRef: "core/Secret",
  secretKeyRef: "core/Secret",
  claimName: "core/PersistentVolumeClaim",
  serviceAccountName: "core/ServiceAccount",
  serviceAccount: "core/ServiceAccount",
};

/** An autoscaler decides how many pods run. */
const scaled = (target: unknown) =>
  `${String(at(target, "apiVersion")).split("/")[0]}/${String(at(target, "kind"))}`;

/** Those of the objects, `core/Secret team-a/dev1-host-key`, to which it refers. */
export function references(value: unknown, namespace: string, objects: ReadonlySet<string>): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const kind = key === "scaleTargetRef" ? scaled(inner) : kindsByKey[key];
    const name = typeof inner === "string" ? inner : at(inner, "name");
    const title = `${kind} ${namespace}/${name}`;
    const own = kind !== undefined && objects.has(title) ? [title] : [];
    return [...own, ...references(inner, namespace, objects)];
  });
}
