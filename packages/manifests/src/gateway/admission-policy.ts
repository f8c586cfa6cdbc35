/** What may stand in any namespace that touches the gateway: routes on it and Gateways beside it, and the teams' policies. */
import { type AdmissionPolicy, inATeam } from "../common/admission.ts";
import { foreignGatewayPolicies, noInternals } from "../common/gateway-admission.ts";
import { teamLabel } from "../common/labels.ts";
import {
  bindsTo,
  dnsLabelPattern,
  httpRoutes,
  only,
  ownService,
  ownServicesOnly,
  plainDestinations,
  routePolicy,
} from "../common/route-admission.ts";
import { most } from "../common/shares.ts";
import { teamPolicies } from "../team/policies.ts";
import { sliceWriter } from "./idle.ts";
import { idlePolicies } from "./idle-policies.ts";
import type { KnownSshGatewayPlan } from "./plan.ts";
import {
  certificateHeader,
  isCertificatePattern,
  isPortPattern,
  longestPattern,
  portPattern,
} from "./route-match.ts";

/** Every policy of one gateway. Two gateways of a cluster each have their own. */
export function gatewayPolicies(plan: KnownSshGatewayPlan): AdmissionPolicy[] {
  return [
    routesPolicy(plan),
    // Somebody else's gateway is selected by somebody else's Gateways.
    ...(plan.existing === undefined ? foreignGatewayPolicies(plan) : []),
    ...idlePolicies(plan),
    ...teamPolicies(sliceWriter(plan)),
  ];
}

const pattern = (text: string) => text.replaceAll(".", "[.]");

/** A namespace's routes lead from its own names to its own Services, and have no field that a container's has not. */
function routesPolicy(plan: KnownSshGatewayPlan): AdmissionPolicy {
  const gateway = `${plan.namespace}/${plan.name}`;
  const ownName = `'^${dnsLabelPattern}[.]' + request.namespace + '[.](${pattern(plan.domain)}|svc[.]cluster[.]local)`;
  const everyMatch = (test: string) => `${httpRoutes}.all(rule, rule.?match.orValue([]).all(match, ${test}))`;
  const [authority, certificate] = ["match.authority[kind]", "match.headers[name]"];
  const matches = [
    `match.?authority.orValue({}).all(kind, kind == 'regex' ? ${isPortPattern(authority)} : ${authority}.matches(${ownName}(:[0-9]{1,5})?$'))`,
    `match.?headers.orValue({}).all(name, name == '${certificateHeader}' && ${certificate}.all(kind, kind == 'regex' && ${isCertificatePattern(`${certificate}[kind]`)}))`,
  ].map(everyMatch);
  const fields = [
    only("object.spec", ["hosts", "gateways", "exportTo", "http"]),
    `${httpRoutes}.all(rule, ${only("rule", ["name", "match", "retries", "route"])})`,
    `${httpRoutes}.all(rule, rule.?retries.orValue({'attempts': 0}) == {'attempts': 0})`,
    everyMatch(only("match", ["authority", "headers"])),
    plainDestinations,
  ];
  return routePolicy("", bindsTo(plan), [
    {
      expression: inATeam,
      messageExpression: `'gateway ${gateway} takes routes only from the namespaces of teams; label this one: kubectl label namespace ' + request.namespace + ' ${teamLabel}=' + request.namespace`,
    },
    {
      expression: `object.spec.?hosts.orValue([]).all(host, host.matches(${ownName}$'))`,
      messageExpression: `'every host on gateway ${gateway} must end in .' + request.namespace + '.${plan.domain} or .' + request.namespace + '.svc.cluster.local, with one label before'`,
    },
    {
      expression: `${httpRoutes}.all(rule, rule.?route.orValue([]).size() == 1 && rule.?route.orValue([]).all(to, ${ownService}))`,
      messageExpression: ownServicesOnly(gateway),
    },
    {
      expression: `${httpRoutes}.all(rule, rule.?name.orValue('') == 'ssh-connect')`,
      message: `gateway ${gateway} carries SSH only: name every http route ssh-connect`,
    },
    ...matches.map((expression) => ({
      expression,
      message: `a route on gateway ${gateway} matches by the authority that a container's has, ${portPattern("<port>")} or a name of its own, and by the certificates that access.allowIdentities makes of identities, with at most ${longestPattern} characters: another pattern might be none to Envoy`,
    })),
    {
      expression: `object.spec.?hosts.orValue([]).size() <= ${most.hosts} && ${httpRoutes}.size() <= ${most.rules} && ${httpRoutes}.all(rule, rule.?match.orValue([]).size() <= 1)`,
      message: `a route on gateway ${gateway} may have at most ${most.hosts} hosts, ${most.rules} rules and one match in each: they fill the memory of every gateway`,
    },
    ...fields.map((expression) => ({
      expression,
      message: `a route on gateway ${gateway} may have only what a container's has: hosts, gateways, exportTo and http with name, match (authority, headers), retries (none) and route (destination host and port)`,
    })),
    noInternals,
  ]);
}
