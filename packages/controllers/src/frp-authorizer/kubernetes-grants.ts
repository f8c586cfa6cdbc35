import { type FrpGrant, grantName } from "@drawbridge-iac/drawbridge/src/host/frpc/contract";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { type Kubernetes, keyOf } from "../api-server.ts";
import { maybe, record, text, Unreadable } from "../read.ts";
import type { Problems } from "../telemetry.ts";
import { type FindGrant, LookupForbidden } from "./grants.ts";

/** Grants as ConfigMaps in the containers' own namespaces. Each is readable by name only, by a Role of its own. */
export function kubernetesGrants(
  api: Pick<Kubernetes, "get">,
  problems: Pick<Problems, "tell" | "solved">,
): FindGrant {
  return async (identity) => {
    const path = `/api/v1/namespaces/${identity.namespace}/configmaps/${grantName(identity.name)}`;
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

const grantConfigMap = record({
  data: maybe(
    record({
      tokenSha256: maybe(text("a SHA-256 hash", (value) => /^[0-9a-f]{64}$/i.test(value))),
      // Any text: whether the container may have the domain is decided when it asks for it (`names.ts`).
      clientDomain: maybe(text("a domain")),
    }),
  ),
});

/** Reads a grant's ConfigMap, which is somebody else's text; one that holds no hash grants nothing. */
export function parseGrant(configMap: unknown): FrpGrant | undefined {
  const { tokenSha256, clientDomain } = grantConfigMap(configMap, "its grant").data ?? {};
  return tokenSha256 === undefined ? undefined : { tokenSha256, clientDomain };
}
