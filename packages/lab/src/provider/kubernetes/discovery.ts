import type { Json } from "../values/property.ts";
import { isNotFound, UnknownKindError } from "./api-error.ts";
import { listAt, stringAt } from "./object.ts";

/** How the API names a kind's collection. */
export interface ResourceKind {
  /** For example `statefulsets`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Looks kinds up by API discovery. */
export interface Discovery {
  /** Throws {@link UnknownKindError} for a kind that the server does not have. */
  find(apiVersion: string, kind: string): Promise<ResourceKind>;
  /** Forgets everything; for use after a CustomResourceDefinition came. */
  forget(): void;
}

/** The root of an API group's paths: `/api/v1`, `/apis/apps/v1`. */
export function apiRoot(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/**
 * Discovery that asks once for each API version, on first use. An unknown kind is asked for again each time, since
 * it may be there by then.
 */
export function cachedDiscovery(get: (path: string) => Promise<Json>): Discovery {
  const known = new Map<string, Promise<Map<string, ResourceKind>>>();

  async function kindsOf(apiVersion: string): Promise<Map<string, ResourceKind>> {
    const list = await get(apiRoot(apiVersion)).catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    // A name with a slash is a subresource, such as deployments/scale.
    const resources = listAt(list, "resources").filter(
      (resource) => !stringAt(resource, "name")?.includes("/"),
    );
    return new Map(
      resources.map((resource) => [
        stringAt(resource, "kind") ?? "",
        {
          plural: stringAt(resource, "name") ?? "",
          namespaced: (resource as { namespaced?: boolean }).namespaced === true,
        },
      ]),
    );
  }

  return {
    async find(apiVersion, kind) {
      const asked = known.get(apiVersion) ?? kindsOf(apiVersion);
      known.set(apiVersion, asked);
      let found: ResourceKind | undefined;
      try {
        found = (await asked).get(kind);
      } finally {
        if (found === undefined && known.get(apiVersion) === asked) known.delete(apiVersion);
      }
      if (found === undefined) throw new UnknownKindError(apiVersion, kind);
      return found;
    },
    forget: () => known.clear(),
  };
}
