/** What the API server holds the pods of a namespace to in which root is allowed inside. */
import type { Wall, WallOwner } from "../common/admission.ts";
import { objectLabels, type PodSecurity } from "../common/labels.ts";
import type { RootParsed } from "./args.ts";
import { podsWall, servicesWall } from "./root-pods-wall.ts";

type Args = RootParsed & { readonly namespace: string };

export function rootWalls(args: Args): Wall[] {
  return [podsWall(args), servicesWall(args.namespace)];
}

/** The lowest level at which the pods are taken that these walls allow: "baseline" refuses the capabilities of an engine. */
export function rootPodSecurity({ containersInside }: Pick<Args, "containersInside">): PodSecurity {
  return containersInside ? "privileged" : "baseline";
}

/** They belong to no namespace, so the namespace's name keeps those of two apart. */
export function rootWallOwner({ namespace }: Pick<Args, "namespace">): WallOwner {
  return { name: "root", namespace, labels: objectLabels("team", namespace) };
}
