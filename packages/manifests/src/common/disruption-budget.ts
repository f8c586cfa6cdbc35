import type { Manifest } from "./manifest.ts";
import type { Placed } from "./placed.ts";

/** Who is protected, and how many of them a voluntary disruption (a node drain) may take at a time. */
interface Budget {
  readonly name: string;
  readonly namespace: Placed<string>;
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: Readonly<Record<string, string>>;
  readonly maxUnavailable: number;
}

export function disruptionBudget(budget: Budget): Manifest<"PodDisruptionBudget"> {
  const { name, namespace, labels, selector, maxUnavailable } = budget;
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
