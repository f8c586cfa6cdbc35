import type { Manifest } from "../common/manifest.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** Voluntary disruptions take one gateway pod at a time, each after its drain window. */
export function gatewayDisruptionBudget(plan: SshGatewayPlan): Manifest {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: plan.selector },
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  };
}
