import { restrictedNamespaceLabels } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import type { CertManagerPlan } from "./plan.ts";

/** cert-manager's own namespace. Its chart's pods ask for nothing that Pod Security "restricted" refuses. */
export function certManagerNamespace(plan: CertManagerPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: plan.namespace, labels: { ...plan.labels, ...restrictedNamespaceLabels } },
  };
}
