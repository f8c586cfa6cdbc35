/**
 * What the authorizer may know of one container, in the container's own namespace: whoever may write there
 * decides on that namespace's names and on no others, and removing the container removes its grant.
 */

import type { FrpGrant } from "../common/contract.ts";
import { configMap } from "../common/data.ts";
import { type Manifest, metadataOf } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { role, roleBinding, serviceAccountSubject } from "../common/rbac.ts";
import type { FrpcHost, FrpcPlan } from "./plan.ts";

/** @param tokenSha256 hash of the container's token; it lets nobody in */
export function frpGrant(plan: FrpcHost, frpc: FrpcPlan, tokenSha256: Placed<string>): Manifest<"ConfigMap"> {
  return configMap(frpc.grant, plan, {
    tokenSha256,
    clientDomain: frpc.customDomain,
  } satisfies Record<keyof FrpGrant, unknown>);
}

/** Lets the authorizer read this one ConfigMap and nothing else. */
export function frpGrantRole(plan: FrpcHost, frpc: FrpcPlan): Manifest<"Role"> {
  return role(metadataOf(frpc.grant, plan), [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [frpc.grant], verbs: ["get"] },
  ]);
}

export function frpGrantBinding(
  plan: FrpcHost,
  frpc: FrpcPlan,
  { namespace, serviceAccountName }: NonNullable<FrpcPlan["authorizer"]>,
): Manifest<"RoleBinding"> {
  return roleBinding(metadataOf(frpc.grant, plan), [serviceAccountSubject(serviceAccountName, namespace)]);
}
