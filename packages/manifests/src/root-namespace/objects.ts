import { declared } from "../common/objects.ts";
import { wallObjects } from "../common/wall-objects.ts";
import { teamNamespace } from "../team/namespace.ts";
import type { RootNamespaceParsed } from "./args.ts";
import { rootPodSecurity, rootWallOwner, rootWalls } from "./walls.ts";

/** A namespace with root and what holds it. */
export function rootNamespaceObjects(args: RootNamespaceParsed) {
  const walls = wallObjects([args.namespace], (namespace = "") => {
    const known = { ...args, namespace };
    return { owner: rootWallOwner(known), walls: rootWalls(known) };
  });
  const { namespace, egress } = args;
  return {
    ...walls,
    namespace:
      args.createNamespace &&
      // The homes in it go with it, so it stays until somebody deletes it by hand. What it allows comes after the policies.
      declared(teamNamespace(namespace, egress.allow, rootPodSecurity(args)), {
        kept: true,
        after: Object.keys(walls),
      }),
  };
}

export type RootNamespaceObjects = ReturnType<typeof rootNamespaceObjects>;
