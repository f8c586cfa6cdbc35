import type { Manifest } from "./manifest.ts";
import type { Workload } from "./own-namespace.ts";

/** @param maxUnavailable how many pods a voluntary disruption (a node drain) may take at a time */
export function disruptionBudget(
  { name, namespace, labels, selector }: Workload,
  maxUnavailable: number,
): Manifest<"PodDisruptionBudget"> {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace, labels },
    spec: {
      maxUnavailable,
      selector: { matchLabels: selector },
      // A pod that never became ready protects nobody's session.
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  };
}
