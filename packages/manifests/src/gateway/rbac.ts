import type { Manifest } from "../common/manifest.ts";
import { role, roleBinding, serviceAccountSubject } from "../common/rbac.ts";
import type { SshGatewayPlan } from "./plan.ts";

const metadata = ({ name, namespace, labels }: SshGatewayPlan) => ({ name, namespace, labels });

/**
 * istiod hands the certificate's Secret only to a proxy whose own account may list the Secrets of the
 * namespace; it asks without a name, so a rule limited by resourceNames would not do.
 */
export function certificateReaderRole(plan: SshGatewayPlan): Manifest<"Role"> {
  return role(metadata(plan), [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "watch", "list"] }]);
}

export function certificateReaderBinding(plan: SshGatewayPlan): Manifest<"RoleBinding"> {
  return roleBinding(metadata(plan), [serviceAccountSubject(plan.name, plan.namespace)]);
}
