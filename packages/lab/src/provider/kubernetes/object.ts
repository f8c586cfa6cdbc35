import type { Json, JsonMap } from "../values/property.ts";

/** A Kubernetes object as the API gives it. */
export type KubeObject = JsonMap & {
  apiVersion: string;
  kind: string;
  metadata: JsonMap & { name: string; namespace?: string };
};

/** Which object is meant. `namespace` is absent for cluster-scoped kinds. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

export function refOf(object: KubeObject): ObjectRef {
  const { name, namespace } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, name, namespace };
}

/** The Pulumi id of an object: `namespace/name`, or the name alone. */
export function idOf(ref: Pick<ObjectRef, "name" | "namespace">): string {
  return ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name;
}

/** The opposite of {@link idOf}. */
export function parseId(id: string): { name: string; namespace?: string } {
  const parts = id.split("/");
  if (parts.length > 2 || parts.includes("")) {
    throw new Error(
      `"${id}" is no id of a Kubernetes object. Write "<namespace>/<name>", or "<name>" for a cluster-scoped one.`,
    );
  }
  return parts.length === 2 ? { namespace: parts[0]!, name: parts[1]! } : { name: parts[0]! };
}

/** What an object is called in messages: `StatefulSet team-a/dev1`. */
export function describe(ref: ObjectRef): string {
  return `${ref.kind} ${idOf(ref)}`;
}

/** The JSON at a path of keys and indices, or undefined. */
export function at(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let here: Json | undefined = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = (here as Record<string | number, Json>)[step];
  }
  return here;
}

/** The list at a path; an empty one where there is none. */
export function listAt(value: Json | undefined, ...path: (string | number)[]): Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The number at a path, or `otherwise`. */
export function numberAt(value: Json | undefined, path: string[], otherwise: number): number {
  const found = at(value, ...path);
  return typeof found === "number" ? found : otherwise;
}

/** The string at a path, or undefined. */
export function stringAt(value: Json | undefined, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}
