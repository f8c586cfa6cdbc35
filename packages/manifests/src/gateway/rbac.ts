import type { Manifest } from "../common/manifest.ts";
import type { SshGatewayPlan } from "./plan.ts";

/**
 * istiod hands the certificate's Secret only to a proxy whose own account may list the Secrets of the
 * namespace; it asks without a name, so a rule limited by resourceNames would not do.
 */
export function certificateReaderRole(plan: SshGatewayPlan): Manifest {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    rules: [
      {
        apiGroups: [""],
        resources: ["secrets"],
        verbs: ["get", "watch", "list"],
      },
    ],
  };
}

export function certificateReaderBinding(plan: SshGatewayPlan): Manifest {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: plan.name },
    subjects: [{ kind: "ServiceAccount", name: plan.name, namespace: plan.namespace }],
  };
}
