/** Kubernetes objects, and what is read out of them. */
import type { V1ObjectMeta } from "@kubernetes/client-node";

/** JSON as the Kubernetes API takes and gives it. */
export type Json = null | boolean | number | string | Json[] | JsonMap;
export interface JsonMap {
  [key: string]: Json;
}

/** An object as the API gives it. */
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

/** The string at a path, or undefined. */
export function stringAt(value: Json | undefined, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** What names an object among those of its kind. */
export function named({ name = "", namespace = "" }: V1ObjectMeta = {}): { name: string; namespace: string } {
  return { name, namespace };
}
