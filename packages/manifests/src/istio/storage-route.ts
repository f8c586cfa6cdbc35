/** A storage's route on a gateway for files, and what the gateway's policy takes for one. */
import type { AdmissionPolicy, AdmissionRule } from "../common/admission.ts";
import type { Manifest } from "../common/manifest.ts";
import { internalName } from "../common/names.ts";
import { type Placed, text } from "../common/placed.ts";
import { noInternals } from "./foreign-gateways.ts";
import type { Owner } from "./route.ts";
import {
  bindsFromElsewhere,
  type GatewayName,
  httpRoutes,
  only,
  ownService,
  ownServicesOnly,
  plainDestinations,
  route,
  routePolicy,
} from "./route.ts";
import { most } from "./shares.ts";

interface Proxy extends GatewayName {
  /** The schemas saw to it that there is one. */
  readonly dnsName?: Placed<string | undefined> | undefined;
}

const hostsOf = ({ dnsName }: Proxy) => [dnsName as Placed<string>];

interface Files extends Owner {
  /** Below which it is served, without a slash at the end. */
  readonly path: Placed<string>;
  /** Of the Service of this name, or the page that is shown instead. */
  readonly target: number | string;
}

/** Route-level only, so it disturbs nobody's download. */
export function filesRoute(files: Files, proxy: Proxy): Manifest<"VirtualService"> {
  const { name, namespace, path, target } = files;
  const rule = {
    name: "storage",
    match: [{ uri: { exact: path } }, { uri: { prefix: text`${path}/` } }],
    ...(typeof target === "string"
      ? { directResponse: { status: 503, body: { string: target } } }
      : { route: [{ destination: { host: internalName(name, namespace), port: { number: target } } }] }),
  };
  return route(files, proxy, { hosts: hostsOf(proxy), http: [rule] });
}

/** The page for every path that is no storage's. Istio sorts a route for everything behind all others. */
export function otherPathsRoute(
  proxy: Owner & Pick<Proxy, "dnsName">,
  page: string,
): Manifest<"VirtualService"> {
  const rule = {
    name: "unknown-storage",
    match: [{ uri: { prefix: "/" } }],
    directResponse: { status: 404, body: { string: page } },
  };
  const owner = { ...proxy, name: `${proxy.name}-unknown` };
  return route(owner, proxy, { hosts: hostsOf(proxy), exportTo: ["."], http: [rule] });
}

interface StorageGateway extends GatewayName<string> {
  readonly dnsName?: string | undefined;
  /** The page of a storage that is off. */
  readonly notReady: string;
}

const matches = "rule.?match.orValue([])";

/**
 * A route on this gateway is what a storage's route is and nothing more: the proxy's own host, paths below the
 * namespace's, one of its Services or the page that says that a storage is off.
 */
export function storageRoutesPolicy(plan: StorageGateway): AdmissionPolicy {
  const gateway = `${plan.namespace}/${plan.name}`;
  const own = "'/storage/' + request.namespace + '/'";
  const fields = [
    only("object.spec", ["hosts", "gateways", "exportTo", "http"]),
    `${httpRoutes}.all(rule, ${only("rule", ["name", "match", "route", "directResponse"])})`,
    `${httpRoutes}.all(rule, ${matches}.all(match, ${only("match", ["uri"])}))`,
    plainDestinations,
    `${httpRoutes}.all(rule, !has(rule.directResponse) || (rule.directResponse.status == 503 && rule.directResponse.?body.?string.orValue('') == ${JSON.stringify(plan.notReady)}))`,
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
