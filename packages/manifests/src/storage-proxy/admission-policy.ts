/** What may stand beside the proxy's gateway: a namespace's routes to its own storages, and no Gateway with its pods. */
import type { AdmissionPolicy, AdmissionRule } from "../common/admission.ts";
import { foreignGatewayPolicies, noInternals } from "../common/gateway-admission.ts";
import {
  bindsFromElsewhere,
  httpRoutes,
  only,
  ownService,
  ownServicesOnly,
  plainDestinations,
  routePolicy,
} from "../common/route-admission.ts";
import { most } from "../common/shares.ts";
import { pages } from "./pages.ts";
import type { KnownStorageProxyPlan } from "./plan.ts";

const matches = "rule.?match.orValue([])";

/** Every policy of one proxy of mode `istio`. */
export function storageProxyPolicies(plan: KnownStorageProxyPlan): AdmissionPolicy[] {
  return [storageRoutesPolicy(plan), ...foreignGatewayPolicies(plan)];
}

/**
 * A route on this gateway is what a storage's route is and nothing more: the proxy's own host, paths below the
 * namespace's, one of its Services or the page that says that a storage is off.
 */
function storageRoutesPolicy(plan: KnownStorageProxyPlan): AdmissionPolicy {
  const gateway = `${plan.namespace}/${plan.name}`;
  const own = "'/storage/' + request.namespace + '/'";
  const fields = [
    only("object.spec", ["hosts", "gateways", "exportTo", "http"]),
    `${httpRoutes}.all(rule, ${only("rule", ["name", "match", "route", "directResponse"])})`,
    `${httpRoutes}.all(rule, ${matches}.all(match, ${only("match", ["uri"])}))`,
    plainDestinations,
    `${httpRoutes}.all(rule, !has(rule.directResponse) || (rule.directResponse.status == 503 && rule.directResponse.?body.?string.orValue('') == ${JSON.stringify(pages.notReady)}))`,
  ];
  const rules: AdmissionRule[] = [
    {
      expression: `object.spec.?hosts.orValue([]) == ['${plan.dnsName}']`,
      message: `a route on gateway ${gateway} must have the one host ${plan.dnsName}`,
    },
    {
      expression: `${httpRoutes}.all(rule, ${matches}.size() > 0 && ${matches}.all(match, match.?uri.?prefix.orValue('').startsWith(${own}) || match.?uri.?exact.orValue('').startsWith(${own})))`,
      messageExpression: `'every route on gateway ${gateway} must match a path below ' + ${own}`,
    },
    {
      expression: `${httpRoutes}.all(rule, rule.?route.orValue([]).size() <= 1 && rule.?route.orValue([]).all(to, ${ownService}))`,
      messageExpression: ownServicesOnly(gateway),
    },
    {
      expression: `${httpRoutes}.size() <= ${most.rules} && ${httpRoutes}.all(rule, ${matches}.size() <= 2)`,
      message: `a route on gateway ${gateway} may have at most ${most.rules} rules and two matches in each: they fill the memory of the gateway`,
    },
    ...fields.map((expression) => ({
      expression,
      message: `a route on gateway ${gateway} may have only what a storage's has: hosts, gateways, exportTo and http with name, match (uri), route (destination host and port) or the 503 of a storage that is off`,
    })),
    noInternals,
  ];
  return routePolicy("", bindsFromElsewhere(plan), rules);
}
