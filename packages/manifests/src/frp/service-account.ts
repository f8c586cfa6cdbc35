import type { Manifest } from "../common/manifest.ts";
import type { FrpServerPlan } from "./plan.ts";

/** The authorizer's identity. It has no rights of its own: each container lets it read that container's grant. */
export function frpServiceAccount(plan: FrpServerPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: plan.names.serviceAccount, namespace: plan.namespace, labels: plan.labels },
    automountServiceAccountToken: false,
  };
}
