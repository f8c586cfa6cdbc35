/** What may stand in any namespace that touches the gateway: routes on it and Gateways beside it, and the teams' policies. */
import type { AdmissionPolicy } from "../common/admission.ts";
import { foreignGatewayPolicies } from "../istio/foreign-gateways.ts";
import { sshRoutesPolicy } from "../istio/ssh-route.ts";
import { teamPolicies } from "../team/policies.ts";
import { sliceWriter } from "./idle.ts";
import { idlePolicies } from "./idle-policies.ts";
import type { KnownSshGatewayPlan } from "./plan.ts";

/** Every policy of one gateway. Two gateways of a cluster each have their own. */
export function gatewayPolicies(plan: KnownSshGatewayPlan): AdmissionPolicy[] {
  return [
    sshRoutesPolicy(plan),
    // Somebody else's gateway is selected by somebody else's Gateways.
    ...(plan.existing === undefined ? foreignGatewayPolicies(plan) : []),
    ...idlePolicies(plan),
    ...teamPolicies(sliceWriter(plan)),
  ];
}
