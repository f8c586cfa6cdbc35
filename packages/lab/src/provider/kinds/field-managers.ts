import { isDeepStrictEqual } from "node:util";
import { at, type Json, type JsonMap, type KubeObject, listAt } from "../../kube/object.ts";
import { type Path, parsePath } from "../values/paths.ts";

/** Owner of the fields of an object that was created and never applied since. */
export const CREATE_MANAGER = "pulumi-kubernetes";

/**
 * Beginnings of the managers' names whose fields become ours with the first update: the object's creation, and a
 * person's kubectl. As with the official provider, what somebody adds by `kubectl label` goes with that update.
 */
const TAKEN_OVER = {
  Apply: ["kubectl"],
  Update: ["kubectl", CREATE_MANAGER, "pulumi-resource-kubernetes", "before-first-apply"],
} as const;

/** Whether the object's creator still owns its fields. */
export function isOwnedByCreator(live: KubeObject): boolean {
  return entries(live).some((entry) => entry.manager === CREATE_MANAGER && entry.operation === "Update");
}

/**
 * The JSON patch that hands the creator's fields to the manager that applies from now on; undefined where there is
 * nothing to hand over. Without it a field that the program drops would stay, since its first owner still wants it.
 */
export function handOver(live: KubeObject, manager: string): Json | undefined {
  const all = entries(live);
  const taken = all.filter(isTaken);
  if (taken.length === 0) return undefined;
  const isOurs = (entry: JsonMap) => entry.manager === manager && entry.operation === "Apply";
  const ours = all.find(isOurs);
  const fields = [...(ours === undefined ? [] : [ours]), ...taken].map((entry) => entry.fieldsV1 as JsonMap);
  const merged: JsonMap = {
    ...(ours ?? taken[0]!),
    manager,
    operation: "Apply",
    fieldsV1: fields.reduce(union),
  };
  const managedFields = [...all.filter((entry) => !isTaken(entry) && !isOurs(entry)), merged];
  return [
    { op: "replace", path: "/metadata/managedFields", value: managedFields },
    // Refused if someone changed the object in between.
    { op: "replace", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion ?? "" },
  ];
}

/** Whether an entry's fields become ours. A status or a scale is written by controllers and stays theirs. */
function isTaken(entry: JsonMap): boolean {
  const { manager, operation, subresource } = entry;
  if (subresource !== undefined) return false;
  const names = operation === "Apply" ? TAKEN_OVER.Apply : TAKEN_OVER.Update;
  return names.some((name) => String(manager).startsWith(name));
}

function union(one: JsonMap, other: JsonMap): JsonMap {
  const merged = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const mine = merged[key];
    merged[key] = mine === undefined ? value : union(mine as JsonMap, value as JsonMap);
  }
  return merged;
}

/** What `metadata.managedFields` says about who owns what. */
function entries(live: KubeObject): JsonMap[] {
  return listAt(live, "metadata", "managedFields") as JsonMap[];
}

/**
 * Inputs whose ignored paths do not disturb the cluster: left out where only others own the field, else with the
 * value that the cluster has.
 */
export function withIgnored(
  inputs: KubeObject,
  live: KubeObject,
  ignoreChanges: readonly string[],
  manager: string,
): KubeObject {
  const copy = structuredClone(inputs);
  for (const path of ignoreChanges.map(parsePath)) {
    const value = at(live, ...path);
    if (value === undefined) continue;
    const owners = entries(live).filter(
      ({ fieldsV1 }) => at(fieldsV1, ...path.map((step) => `f:${step}`)) !== undefined,
    );
    const onlyOthers =
      owners.length > 0 && !owners.some((entry) => entry.manager === manager || isTaken(entry));
    setAt(copy, path, onlyOthers ? undefined : value);
  }
  return isDeepStrictEqual(copy, inputs) ? inputs : copy;
}

function setAt(object: JsonMap, path: Path, value: Json | undefined): void {
  const parent = at(object, ...path.slice(0, -1));
  if (typeof parent !== "object" || parent === null) return;
  const key = path.at(-1)!;
  if (value !== undefined) (parent as Record<string | number, Json>)[key] = value;
  else if (!Array.isArray(parent)) delete parent[key];
}
