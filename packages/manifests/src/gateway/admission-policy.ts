/**
 * The Gateway accepts routes from every namespace; this policy makes a namespace's routes claim only names
 * of that namespace and point only into it, so that no team can take another's name.
 */
import type { Manifest } from "../common/manifest.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** Cluster-wide objects are named after the gateway's namespace too, so two gateways never meet. */
export function admissionName(plan: SshGatewayPlan): string {
  return `drawbridge-${plan.namespace}-${plan.name}`;
}

export function routeAdmissionPolicy(plan: SshGatewayPlan): Manifest {
  const gateway = `${plan.namespace}/${plan.name}`;
  const own = `host.endsWith('.' + object.metadata.namespace + '.${plan.domain}')`;
  const internal = "host.endsWith('.' + object.metadata.namespace + '.svc.cluster.local')";
  const routes = "object.spec.?http.orValue([])";
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: admissionName(plan), labels: plan.labels },
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
          expression: `object.spec.?gateways.orValue([]).exists(name, name == '${gateway}' || (name == '${plan.name}' && object.metadata.namespace == '${plan.namespace}'))`,
        },
      ],
      validations: [
        {
          expression: `object.spec.hosts.all(host, ${own} || ${internal})`,
          messageExpression: `'every host on gateway ${gateway} must end in .' + object.metadata.namespace + '.${plan.domain} or .' + object.metadata.namespace + '.svc.cluster.local'`,
        },
        {
          expression: `${routes}.all(rule, rule.?route.orValue([]).size() > 0 && rule.route.all(to, to.destination.host.endsWith('.' + object.metadata.namespace + '.svc.cluster.local')))`,
          messageExpression: `'every route on gateway ${gateway} must lead to a Service of its own namespace, written <service>.' + object.metadata.namespace + '.svc.cluster.local'`,
        },
        {
          expression: `${routes}.all(rule, rule.?name.orValue('') == 'ssh-connect') && object.spec.?tcp.orValue([]).size() == 0 && object.spec.?tls.orValue([]).size() == 0`,
          message: `gateway ${gateway} carries SSH only: name every http route ssh-connect and use no tcp or tls routes`,
        },
      ],
    },
  };
}

export function routeAdmissionBinding(plan: SshGatewayPlan): Manifest {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: admissionName(plan), labels: plan.labels },
    spec: { policyName: admissionName(plan), validationActions: ["Deny"] },
  };
}
