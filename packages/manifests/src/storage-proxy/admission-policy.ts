/** The rules that keep a namespace's storage routes to its own paths and its own Services. */
import type { Manifest } from "../common/manifest.ts";
import { routePolicy } from "../common/route-admission.ts";
import type { StorageProxyPlan } from "./plan.ts";

export function storageRoutePolicy(plan: StorageProxyPlan): Manifest {
  const gateway = `${plan.namespace}/${plan.name}`;
  const own = "'/storage/' + object.metadata.namespace + '/'";
  const routes = "object.spec.?http.orValue([])";
  const matches = "rule.?match.orValue([])";
  const binds = `object.metadata.namespace != '${plan.namespace}' && object.spec.?gateways.orValue([]).exists(name, name == '${gateway}')`;
  return routePolicy(plan, binds, [
    {
      expression: `${routes}.all(rule, ${matches}.size() > 0 && ${matches}.all(match, match.?uri.?prefix.orValue('').startsWith(${own}) || match.?uri.?exact.orValue('').startsWith(${own})))`,
      messageExpression: `'every route on gateway ${gateway} must match a path below ' + ${own}`,
    },
    {
      expression: `${routes}.all(rule, rule.?route.orValue([]).all(to, to.destination.host.endsWith('.' + object.metadata.namespace + '.svc.cluster.local')) && !has(rule.delegate) && !has(rule.redirect))`,
      messageExpression: `'every route on gateway ${gateway} must lead to a Service of its own namespace, written <service>.' + object.metadata.namespace + '.svc.cluster.local'`,
    },
  ]);
}
