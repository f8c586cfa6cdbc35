import { outOfAmbient, restrictedNamespaceLabels } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import type { FrpServerPlan } from "./plan.ts";

/** frps's own namespace: who may read its Secrets could pose as frps. */
export function frpNamespace(plan: FrpServerPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name: plan.namespace,
      labels: { ...plan.labels, ...restrictedNamespaceLabels, ...outOfAmbient },
    },
  };
}
