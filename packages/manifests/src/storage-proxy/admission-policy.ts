/**
 * With Istio the routes of all teams meet on one address; this policy makes a namespace's routes claim only
 * paths of that namespace and point only into it, so that no team can stand in for another's storage.
 */
import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";

/** Cluster-wide objects are named after the proxy's namespace too, so two proxies never meet. */
export function routeAdmissionName(plan: StorageProxyPlan): string {
  return `drawbridge-${plan.namespace}-${plan.name}`;
}

export function storageRoutePolicy(plan: StorageProxyPlan): Manifest {
  const gateway = `${plan.namespace}/${plan.name}`;
  const own = "'/storage/' + object.metadata.namespace + '/'";
  const routes = "object.spec.?http.orValue([])";
  const matches = "rule.?match.orValue([])";
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: routeAdmissionName(plan), labels: plan.labels },
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
      matchConditions: [
        {
          name: "binds-to-this-gateway",
          expression: `object.metadata.namespace != '${plan.namespace}' && object.spec.?gateways.orValue([]).exists(name, name == '${gateway}')`,
        },
      ],
      validations: [
        {
          expression: `${routes}.all(rule, ${matches}.size() > 0 && ${matches}.all(match, match.?uri.?prefix.orValue('').startsWith(${own}) || match.?uri.?exact.orValue('').startsWith(${own})))`,
          messageExpression: `'every route on gateway ${gateway} must match a path below ' + ${own}`,
        },
        {
          expression: `${routes}.all(rule, rule.?route.orValue([]).all(to, to.destination.host.endsWith('.' + object.metadata.namespace + '.svc.cluster.local')) && !has(rule.delegate) && !has(rule.redirect))`,
          messageExpression: `'every route on gateway ${gateway} must lead to a Service of its own namespace, written <service>.' + object.metadata.namespace + '.svc.cluster.local'`,
        },
      ],
    },
  };
}

export function storageRouteBinding(plan: StorageProxyPlan): Manifest {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: routeAdmissionName(plan), labels: plan.labels },
    spec: { policyName: routeAdmissionName(plan), validationActions: ["Deny"] },
  };
}
