import { ApiError, type Kubernetes } from "../kubernetes.ts";
import { grantName } from "../made/contract.ts";
import { type FindGrant, type Grant, LookupForbidden } from "./grants.ts";
import type { Identity } from "./identity.ts";

/** What is looked at of a grant's ConfigMap, which is somebody else's text. */
interface GrantConfigMap {
  readonly data?: Readonly<Record<string, string>>;
}

/** Grants as ConfigMaps in the containers' own namespaces. Each is readable by name only, by a Role of its own. */
export function kubernetesGrants(api: Pick<Kubernetes, "get">): FindGrant {
  return async ({ namespace, name }: Identity) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps/${grantName(name)}`;
    try {
      return parseGrant(await api.get<GrantConfigMap>(path));
    } catch (error) {
      const status = error instanceof ApiError ? error.status : undefined;
      if (status === 404) return undefined;
      // Without a Role that names it, a ConfigMap is forbidden whether it exists or not.
      if (status === 403) throw new LookupForbidden(`the API server forbids to look at ${path}`);
      throw error;
    }
  };
}

/** Reads a grant's ConfigMap; one that holds no hash grants nothing. */
export function parseGrant({ data }: GrantConfigMap): Grant | undefined {
  const tokenSha256 = data?.tokenSha256;
  return tokenSha256 === undefined ? undefined : { tokenSha256, clientDomain: data?.clientDomain };
}
