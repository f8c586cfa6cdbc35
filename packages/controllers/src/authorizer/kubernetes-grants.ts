import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { type Identity, type Kubernetes, keyOf } from "../api-server.ts";
import { Unreadable } from "../read.ts";
import type { Problems } from "../telemetry.ts";
import { type FindGrant, LookupForbidden } from "./grants.ts";

export const configMapPath = ({ namespace }: Identity, name: string) =>
  `/api/v1/namespaces/${namespace}/configmaps/${name}`;

/** Grants as objects in the containers' own namespaces. Each is readable by name only, by a Role of its own. */
export function kubernetesGrants<Grant>(
  api: Pick<Kubernetes, "get">,
  problems: Pick<Problems, "tell" | "solved">,
  pathOf: (identity: Identity) => string,
  parseGrant: (object: unknown) => Grant | undefined,
): FindGrant<Grant> {
  return async (identity) => {
    const path = pathOf(identity);
    const key = keyOf(identity);
    try {
      const grant = parseGrant(await api.get(path));
      problems.solved(key);
      return grant;
    } catch (error) {
      if (error instanceof Unreadable) {
        problems.tell(key, error);
        return undefined;
      }
      const status = error instanceof ApiError ? error.status : undefined;
      if (status === 404) return undefined;
      // Without a Role that names it, a ConfigMap is forbidden whether it exists or not.
      if (status === 403) throw new LookupForbidden(`the API server forbids to look at ${path}`);
      throw error;
    }
  };
}
