/**
 * Gateways of other namespaces must not take the pods of one of ours: istiod gives a Gateway every proxy whose labels fit
 * (`PILOT_SCOPE_GATEWAY_TO_NAMESPACE` is off by default), and a new listener ends the sessions of the old one.
 */
import type { AdmissionPolicy } from "../kubernetes/admission.ts";

/** A gateway of ours, all of whose pods' labels are known. */
interface OwnGateway {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly podLabels: Readonly<Record<string, string>>;
}

/** The policies around the pods and the Service of one gateway of ours. */
export function foreignGatewayPolicies(own: OwnGateway): AdmissionPolicy[] {
  return [gatewaysPolicy(own), gatewayApiPolicy(own)];
}

/** istiod writes these in memory, for what it makes of other kinds; in a stored object they would be obeyed. */
export const noInternals = {
  expression:
    "object.metadata.?annotations.orValue({}).all(key, !key.lowerAscii().startsWith('internal.istio.io/'))",
  message: "annotations internal.istio.io/… are istiod's own; remove them",
} as const;

/**
 * A Gateway without a selector takes every proxy of the mesh; one with a selector those whose labels fit. It leaves our
 * pods alone if it asks for a label that they do not have. Labels which injection, istiod or the ReplicaSet add are no
 * proof: their values may be known.
 */
function gatewaysPolicy({ name, namespace, labels, podLabels }: OwnGateway): AdmissionPolicy {
  // Sorted, because a preview has the labels in another order than the program.
  const all = Object.entries({ ...labels, ...podLabels }).sort(([one], [other]) => (one < other ? -1 : 1));
  const own = all.map(([key, value]) => `'${key}': '${value}'`);
  return {
    name: "gateways",
    requests: [{ apiGroup: "networking.istio.io", resources: ["gateways"] }],
    conditions: [{ name: "elsewhere", expression: `request.namespace != '${namespace}'` }],
    variables: [
      { name: "ours", expression: `{${own.join(", ")}}` },
      { name: "selector", expression: "object.spec.?selector.orValue({})" },
    ],
    rules: [
      {
        expression: `variables.selector.exists(key, key in variables.ours ? variables.selector[key] != variables.ours[key] : !key.matches('${addedLabels}'))`,
        message: `this Gateway would take the pods of gateway ${namespace}/${name}; give it a selector with a label of your own proxies`,
      },
      noInternals,
    ],
  };
}

/** Labels that others add to a proxy's pod or that istiod adds to its proxy. */
const addedLabels = "^(([^/]*[.])?istio[.]io/|([^/]*[.])?kubernetes[.]io/|[^/]*hash$)";

/** A Gateway of the Gateway API may name a Service whose pods it wants. */
function gatewayApiPolicy({ name, namespace }: OwnGateway): AdmissionPolicy {
  return {
    name: "gateway-api",
    requests: [{ apiGroup: "gateway.networking.k8s.io", resources: ["gateways"] }],
    conditions: [{ name: "elsewhere", expression: `request.namespace != '${namespace}'` }],
    rules: [
      {
        expression: `object.spec.?addresses.orValue([]).all(to, !(to.?value.orValue('').lowerAscii() + '.').startsWith('${name}.${namespace}.'))`,
        message: `the Service of gateway ${namespace}/${name} is not yours to name`,
      },
      noInternals,
    ],
  };
}
