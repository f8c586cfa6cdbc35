/** What the API server holds the pods of a namespace to in which root is allowed inside. */
import type { Wall, WallOwner } from "../common/admission.ts";
import { objectLabels } from "../common/labels.ts";
import type { RootNamespaceParsed } from "./args.ts";
import { podsWall, servicesWall } from "./pods-wall.ts";

type Args = Pick<RootNamespaceParsed, "namespace" | "serviceAccountNames">;

export function rootWalls({ namespace, serviceAccountNames }: Args): Wall[] {
  return [podsWall(namespace, serviceAccountNames), servicesWall(namespace)];
}

/** They belong to no namespace, so the namespace's name keeps those of two apart. */
export function rootWallOwner({ namespace }: Args): WallOwner {
  return { name: "root", namespace, labels: objectLabels("team", namespace) };
}
