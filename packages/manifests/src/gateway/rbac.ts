import { type Manifest, metadataOf } from "../common/manifest.ts";
import { role, roleBinding, serviceAccountSubject } from "../common/rbac.ts";
import type { SshGatewayPlan } from "./plan.ts";

/**
 * istiod hands the certificate's Secret only to a proxy whose own account may list the Secrets of the
 * namespace; it asks without a name, so a rule limited by resourceNames would not do.
 */
export function certificateReaderRole(plan: SshGatewayPlan): Manifest<"Role"> {
  const rule = { apiGroups: [""], resources: ["secrets"], verbs: ["get", "watch", "list"] };
  return role(metadataOf(plan.name, plan), [rule]);
}

export function certificateReaderBinding(plan: SshGatewayPlan): Manifest<"RoleBinding"> {
  return roleBinding(metadataOf(plan.name, plan), [serviceAccountSubject(plan.name, plan.namespace)]);
}
