/** The rules that keep a namespace's SSH routes to its own names and its own Services. */
import type { Manifest } from "../common/manifest.ts";
import { routePolicy } from "../common/route-admission.ts";
import type { SshGatewayPlan } from "./plan.ts";

export function routeAdmissionPolicy(plan: SshGatewayPlan): Manifest {
  const gateway = `${plan.namespace}/${plan.name}`;
  const own = `host.endsWith('.' + object.metadata.namespace + '.${plan.domain}')`;
  const internal = "host.endsWith('.' + object.metadata.namespace + '.svc.cluster.local')";
  const routes = "object.spec.?http.orValue([])";
  const binds = `object.spec.?gateways.orValue([]).exists(name, name == '${gateway}' || (name == '${plan.name}' && object.metadata.namespace == '${plan.namespace}'))`;
  return routePolicy(plan, binds, [
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
  ]);
}
