/**
 * A shared Gateway accepts routes from every namespace. A ValidatingAdmissionPolicy keeps each namespace's
 * VirtualServices to that namespace's own names, so that no team can take another's.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
import type { Manifest } from "./manifest.ts";

/** The Gateway that a policy guards. */
interface GuardedGateway {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A CEL rule and what the API server says when it does not hold. */
export type RouteRule =
  | { readonly expression: string; readonly message: string }
  | { readonly expression: string; readonly messageExpression: string };

/** Cluster-wide objects are named after the gateway's namespace too, so two gateways never meet. */
const policyName = (gateway: GuardedGateway) => `drawbridge-${gateway.namespace}-${gateway.name}`;

/**
 * CEL: whether a VirtualService binds to this Gateway, in each way of writing its name that Istio resolves
 * (`resolveGatewayName` in pilot/pkg/model/config.go): `ns/name`, `./name` and `name` from its own namespace, and
 * `name.ns` with or without anything behind a further dot.
 */
export function bindsTo({ name, namespace }: { readonly name: string; readonly namespace: string }): string {
  const written = [
    `g == '${namespace}/${name}'`,
    `g == '${name}.${namespace}'`,
    `g.startsWith('${name}.${namespace}.')`,
    `(request.namespace == '${namespace}' && (g == '${name}' || g == './${name}'))`,
  ];
  return `object.spec.?gateways.orValue([]).exists(g, ${written.join(" || ")})`;
}

/** @param binds CEL: whether a VirtualService binds to this gateway, and so has to keep the rules. */
export function routePolicy(
  gateway: GuardedGateway,
  binds: string,
  validations: readonly RouteRule[],
): Manifest {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: policyName(gateway), labels: gateway.labels },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ["networking.istio.io"],
            apiVersions: ["*"],
            operations: ["CREATE", "UPDATE"],
            resources: ["virtualservices"],
          },
        ],
      },
      matchConditions: [{ name: "binds-to-this-gateway", expression: binds }],
      validations,
    },
  };
}

export function routePolicyBinding(gateway: GuardedGateway): Manifest {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: policyName(gateway), labels: gateway.labels },
    spec: { policyName: policyName(gateway), validationActions: ["Deny"] },
  };
}
