/** What may stand in any namespace that touches the gateway: routes on it, Gateways and ServiceEntries beside it. */
import type { Wall } from "../common/admission.ts";
import { teamLabel } from "../common/labels.ts";
import { bindsTo, coversClusterNames, routeWall } from "../common/route-admission.ts";
import { teamWalls } from "../team/walls.ts";
import { sliceWriter } from "./idle.ts";
import { idleWalls } from "./idle-walls.ts";
import type { SshGatewayPlan } from "./plan.ts";

const istio = "networking.istio.io";

/** Every policy of one gateway. Two gateways of a cluster each have their own. */
export function gatewayWalls(plan: SshGatewayPlan): Wall[] {
  return [
    routesWall(plan),
    serviceEntriesWall,
    // Somebody else's gateway is selected by somebody else's Gateways.
    ...(plan.existing === undefined ? [gatewaysWall(plan), gatewayApiWall(plan)] : []),
    ...idleWalls(plan),
    ...teamWalls(sliceWriter(plan)),
  ];
}

/** A CEL list of texts. */
const listOf = (values: readonly string[]) => `[${values.map((value) => `'${value}'`).join(", ")}]`;

/** CEL: whether the object stands in a team's namespace. */
const isTeam = `('${teamLabel}' in namespaceObject.metadata.?labels.orValue({}))`;

const pattern = (text: string) => text.replaceAll(".", "[.]");

/** A namespace's routes lead from its own names to its own Services, and have no field that a container's has not. */
function routesWall(plan: SshGatewayPlan): Wall {
  const gateway = `${plan.namespace}/${plan.name}`;
  const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  const ownHost = `'^${label}[.]' + request.namespace + '[.](${pattern(plan.domain)}|svc[.]cluster[.]local)$'`;
  const ownService = `'^${label}[.]' + request.namespace + '[.]svc[.]cluster[.]local$'`;
  const only = (what: string, fields: readonly string[]) => `${what}.all(field, field in ${listOf(fields)})`;
  const http = "object.spec.?http.orValue([])";
  const fields = [
    only("object.spec", ["hosts", "gateways", "exportTo", "http"]),
    `${http}.all(rule, ${only("rule", ["name", "match", "retries", "route"])})`,
    `${http}.all(rule, rule.?match.orValue([]).all(match, ${only("match", ["authority", "headers"])}))`,
    `${http}.all(rule, rule.?route.orValue([]).all(to, ${only("to", ["destination"])} && ${only("to.destination", ["host", "port"])}))`,
  ];
  return routeWall("", bindsTo(plan), [
    {
      expression: isTeam,
      messageExpression: `'gateway ${gateway} takes routes only from the namespaces of teams; label this one: kubectl label namespace ' + request.namespace + ' ${teamLabel}=' + request.namespace`,
    },
    {
      expression: `object.spec.?hosts.orValue([]).all(host, host.matches(${ownHost}))`,
      messageExpression: `'every host on gateway ${gateway} must end in .' + request.namespace + '.${plan.domain} or .' + request.namespace + '.svc.cluster.local, with one label before'`,
    },
    {
      expression: `${http}.all(rule, rule.?route.orValue([]).size() > 0 && rule.?route.orValue([]).all(to, to.destination.host.matches(${ownService})))`,
      messageExpression: `'every route on gateway ${gateway} must lead to a Service of its own namespace, written <service>.' + request.namespace + '.svc.cluster.local'`,
    },
    {
      expression: `${http}.all(rule, rule.?name.orValue('') == 'ssh-connect')`,
      message: `gateway ${gateway} carries SSH only: name every http route ssh-connect`,
    },
    ...fields.map((expression) => ({
      expression,
      message: `a route on gateway ${gateway} may have only what a container's has: hosts, gateways, exportTo and http with name, match (authority, headers), retries and route (destination host and port)`,
    })),
    noInternals,
  ]);
}

/** istiod writes these in memory, for what it makes of other kinds; in a stored object they would be obeyed. */
const noInternals = {
  expression:
    "object.metadata.?annotations.orValue({}).all(key, !key.lowerAscii().startsWith('internal.istio.io/'))",
  message: "annotations internal.istio.io/… are istiod's own; remove them",
} as const;

/**
 * A Gateway without a selector takes every proxy of the mesh; one with a selector those whose labels fit. It leaves our
 * pods alone if it asks for a label that they do not have. Labels which injection, istiod or the ReplicaSet add are no
 * proof: their values may be known.
 */
function gatewaysWall(plan: SshGatewayPlan): Wall {
  const own = Object.entries(plan.labels).map(([key, value]) => `'${key}': '${value}'`);
  return {
    name: "gateways",
    requests: [{ apiGroup: istio, resources: ["gateways"] }],
    conditions: [{ name: "elsewhere", expression: `request.namespace != '${plan.namespace}'` }],
    variables: [
      { name: "ours", expression: `{${own.join(", ")}}` },
      { name: "selector", expression: "object.spec.?selector.orValue({})" },
    ],
    rules: [
      {
        expression: `variables.selector.exists(key, key in variables.ours ? variables.selector[key] != variables.ours[key] : !key.matches('${addedLabels}'))`,
        message: `this Gateway would take the pods of gateway ${plan.namespace}/${plan.name}; give it a selector with a label of your own proxies`,
      },
      noInternals,
    ],
  };
}

/** Labels that others add to a proxy's pod or that istiod adds to its proxy. */
const addedLabels = "^(([^/]*[.])?istio[.]io/|([^/]*[.])?kubernetes[.]io/|[^/]*hash$)";

/** A Gateway of the Gateway API may name a Service whose pods it wants. */
function gatewayApiWall(plan: SshGatewayPlan): Wall {
  const service = `${plan.name}.${plan.namespace}`;
  return {
    name: "gateway-api",
    requests: [{ apiGroup: "gateway.networking.k8s.io", resources: ["gateways"] }],
    conditions: [{ name: "elsewhere", expression: `request.namespace != '${plan.namespace}'` }],
    rules: [
      {
        expression: `object.spec.?addresses.orValue([]).all(to, !(to.?value.orValue('').lowerAscii() + '.').startsWith('${service}.'))`,
        message: `the Service of gateway ${plan.namespace}/${plan.name} is not yours to name`,
      },
      noInternals,
    ],
  };
}

/**
 * A route names its destination by a Service's name, so nobody else may give that name other endpoints. Teams have
 * routes, so they may claim no such name at all.
 */
const serviceEntriesWall: Wall = {
  name: "service-entries",
  requests: [{ apiGroup: istio, resources: ["serviceentries"] }],
  rules: [
    {
      expression: `object.spec.?hosts.orValue([]).all(host, !${coversClusterNames("host")} || (!${isTeam} && host.matches('^[^.]+[.]' + request.namespace + '[.]svc[.]cluster[.]local$')))`,
      messageExpression:
        "'a ServiceEntry may claim no name below svc.cluster.local but <name>.' + request.namespace + '.svc.cluster.local, and in a team\\'s namespace not that'",
    },
  ],
};
