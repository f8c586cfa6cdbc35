/** What may stand in any namespace that touches the gateway: routes on it and Gateways beside it, and the teams' policies. */

import { sliceManager, sliceSuffix } from "../host/idle/contract.ts";
import { teamPolicies } from "../isolation/policies.ts";
import { foreignGatewayPolicies } from "../istio/foreign-gateways.ts";
import { sshRoutesPolicy } from "../istio/ssh-route.ts";
import type { AdmissionPolicy } from "../kubernetes/admission.ts";
import { partSelector } from "../kubernetes/labels.ts";
import { type IdleRole, idleNameOf } from "./idle.ts";
import type { KnownSshGatewayPlan } from "./plan.ts";

/** Every policy of one gateway. Two gateways of a cluster each have their own. */
export function gatewayPolicies(plan: KnownSshGatewayPlan): AdmissionPolicy[] {
  return [
    sshRoutesPolicy(plan),
    // Another's gateway is selected by its owner's Gateways.
    ...(plan.existing === undefined ? foreignGatewayPolicies(plan) : []),
    ...idlePolicies(plan),
    ...teamPolicies(
      plan.idle && { namespace: plan.namespace, serviceAccount: idleNameOf(plan, "activator") },
    ),
  ];
}

/** Limits of the culler's and the activator's rights that no Role has: which way they scale, and what a slice holds. */
function idlePolicies(plan: KnownSshGatewayPlan): AdmissionPolicy[] {
  return plan.idle === undefined
    ? []
    : [scalePolicy(plan, "culler"), scalePolicy(plan, "activator"), slicesPolicy(plan)];
}

const isAskedBy = (plan: KnownSshGatewayPlan, role: IdleRole) => ({
  name: "by-this-account",
  expression: `request.userInfo.username == 'system:serviceaccount:${plan.namespace}:${idleNameOf(plan, role)}'`,
});

/** The one puts to sleep, the other wakes; neither does anything else, nor to anything but containers. */
function scalePolicy(plan: KnownSshGatewayPlan, role: IdleRole): AdmissionPolicy {
  const [from, to] = role === "culler" ? [1, 0] : [0, 1];
  return {
    name: `${role}-scale`,
    requests: [{ apiGroup: "apps", resources: ["statefulsets/scale"], operations: ["UPDATE"] }],
    conditions: [isAskedBy(plan, role)],
    rules: [
      {
        expression: `oldObject.spec.?replicas.orValue(0) == ${from} && object.spec.?replicas.orValue(0) == ${to}`,
        message: `the ${role} may only scale a container from ${from} to ${to}`,
      },
      {
        expression: `object.status.?selector.orValue('').contains('${partSelector("dev-container")}')`,
        message: `the ${role} may scale nothing but containers`,
      },
    ],
  };
}

/** A slice of the activator's says that one container sleeps, and at which address the activator answers for it. */
function slicesPolicy(plan: KnownSshGatewayPlan): AdmissionPolicy {
  const labels = (of: string) => `${of}.metadata.?labels.orValue({})`;
  const own = (of: string) =>
    `${labels(of)}[?'endpointslice.kubernetes.io/managed-by'].orValue('') == '${sliceManager}' && ${of}.metadata.name.endsWith('${sliceSuffix}')`;
  return {
    name: "activator-slices",
    requests: [
      {
        apiGroup: "discovery.k8s.io",
        resources: ["endpointslices"],
        operations: ["CREATE", "UPDATE", "DELETE"],
      },
    ],
    conditions: [isAskedBy(plan, "activator")],
    rules: [
      {
        expression: `(oldObject == null || (${own("oldObject")})) && (object == null || (${own("object")}))`,
        message: `the activator may touch no slices but its own, named <container>${sliceSuffix}`,
      },
      {
        expression: `object == null || (${labels("object")}[?'kubernetes.io/service-name'].orValue('') + '${sliceSuffix}' == object.metadata.name && ${labels("object")}[?'app.kubernetes.io/component'].orValue('') == 'dev-container' && object.metadata.?ownerReferences.orValue([]).exists(owner, owner.kind == 'StatefulSet' && owner.name + '${sliceSuffix}' == object.metadata.name))`,
        message: "a slice of the activator is for the Service of the container that owns it",
      },
      {
        expression:
          "object == null || (object.endpoints.size() == 1 && object.endpoints[0].addresses.size() == 1 && object.?ports.orValue([]).all(port, port.?name.orValue('') == 'tcp-ssh'))",
        message: "a slice of the activator has one address, for sshd's port alone",
      },
    ],
  };
}
