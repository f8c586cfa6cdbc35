import { outOfAmbient, restrictedNamespaceLabels } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";

/** The proxy's own namespace, by which the storages' NetworkPolicies know it. */
export function proxyNamespace(plan: StorageProxyPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name: plan.namespace,
      labels: { ...plan.labels, ...restrictedNamespaceLabels, ...outOfAmbient },
    },
  };
}
