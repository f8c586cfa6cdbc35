import type { Manifest } from "../common/manifest.ts";
import type { DevContainerPlan } from "./plan.ts";

/** Under `never` the eviction API answers 429, so a node drain waits for a human. */
export function containerDisruptionBudget(plan: DevContainerPlan): Manifest {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: plan.names.workload, namespace: plan.namespace, labels: plan.labels },
    spec: {
      maxUnavailable: plan.eviction === "never" ? 0 : 1,
      selector: { matchLabels: plan.selector },
      // A pod that never became ready protects nobody's session.
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  };
}
