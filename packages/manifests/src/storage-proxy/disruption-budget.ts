import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";

/** Voluntary disruptions take one proxy pod at a time, each after its drain window. */
export function proxyDisruptionBudget(plan: StorageProxyPlan): Manifest {
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
