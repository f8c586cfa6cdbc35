import { type FrpGrant, grantName } from "@drawbridge-iac/drawbridge/src/host/frpc/contract";
import type { Kubernetes } from "../api-server.ts";
import { configMapPath, kubernetesGrants } from "../authorizer/kubernetes-grants.ts";
import { hash } from "../authorizer/proof.ts";
import { maybe, record, text } from "../read.ts";
import type { Problems } from "../telemetry.ts";

export const frpGrants = (api: Pick<Kubernetes, "get">, problems: Pick<Problems, "tell" | "solved">) =>
  kubernetesGrants(
    api,
    problems,
    (identity) => configMapPath(identity, grantName(identity.name)),
    parseGrant,
  );

const grantConfigMap = record({
  data: maybe(
    record({
      tokenSha256: maybe(hash),
      // Any text: whether the container may have the domain is decided when it asks for it (`names.ts`).
      clientDomain: maybe(text("a domain")),
    }),
  ),
});

/** Reads a grant's ConfigMap, which is another's text; one that holds no hash grants nothing. */
export function parseGrant(configMap: unknown): FrpGrant | undefined {
  const { tokenSha256, clientDomain } = grantConfigMap(configMap, "its grant").data ?? {};
  return tokenSha256 === undefined ? undefined : { tokenSha256, clientDomain };
}
