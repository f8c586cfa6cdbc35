import type { Manifest } from "../common/manifest.ts";
import { sshpodRole, sshpodRoleBinding } from "../sshpod/role.ts";
import type { DevContainerPlan } from "./plan.ts";

/** The right to enter this container's pod over the Kubernetes API, and nothing else of the namespace. */
export function containerSshpodAccess(
  plan: DevContainerPlan,
): { role: Manifest<"Role">; binding: Manifest<"RoleBinding"> } | undefined {
  const subjects = plan.access.sshpod;
  if (subjects === undefined) return undefined;
  const named = { name: plan.names.sshpod, namespace: plan.namespace, labels: plan.labels };
  return {
    // The stable name of the pod is what makes a right for it alone possible.
    role: sshpodRole({ ...named, pods: [`${plan.names.workload}-0`], exec: !plan.hasSshd }),
    binding: sshpodRoleBinding(named, subjects),
  };
}
