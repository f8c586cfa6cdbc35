import { isDeepStrictEqual } from "node:util";
import { at, type KubeObject } from "../kubernetes/object.ts";
import { type Path, parsePath, valueAt } from "../values/paths.ts";
import type { Json, JsonMap } from "../values/property.ts";
import { entries, isTaken } from "./field-managers.ts";

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
    const value = valueAt(live, path) as Json | undefined;
    if (value === undefined) continue;
    const owners = entries(live).filter((entry) => owns(entry.fieldsV1, path));
    const onlyOthers =
      owners.length > 0 && !owners.some((entry) => entry.manager === manager || isTaken(entry));
    setAt(copy, path, onlyOthers ? undefined : value);
  }
  return isDeepStrictEqual(copy, inputs) ? inputs : copy;
}

function owns(fields: Json | undefined, path: Path): boolean {
  return at(fields, ...path.map((step) => `f:${step}`)) !== undefined;
}

function setAt(object: JsonMap, path: Path, value: Json | undefined): void {
  const parent = at(object, ...path.slice(0, -1));
  if (typeof parent !== "object" || parent === null) return;
  const key = path.at(-1)!;
  if (value !== undefined) (parent as Record<string | number, Json>)[key] = value;
  else if (!Array.isArray(parent)) delete parent[key];
}
