import { outOfAmbient, restrictedNamespaceLabels } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The gateway's own namespace, not Istio's: an EnvoyFilter there would be pushed to every proxy of the mesh. */
export function gatewayNamespace(plan: SshGatewayPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name: plan.namespace,
      labels: { ...plan.labels, ...restrictedNamespaceLabels, ...outOfAmbient },
    },
  };
}
