/**
 * A host's route on a gateway, and what the gateway's policy takes for one: what stands here and nothing else. istiod takes
 * every pattern of Go's, Envoy only RE2's; with one that it does not take it refuses the routes of everybody.
 */
import { type AdmissionPolicy, inATeam } from "../common/admission.ts";
import { teamLabel } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import { internalName } from "../common/names.ts";
import { isEmpty, type Placed, type PlacedList, whenListed } from "../common/placed.ts";
import { noInternals } from "./foreign-gateways.ts";
import {
  bindsTo,
  dnsLabelPattern,
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

/** Routes with this name become CONNECT routes by the gateway's one EnvoyFilter. */
export const connectRouteName = "ssh-connect";

interface Host {
  readonly namespace: Placed<string>;
  readonly labels: Readonly<Record<string, string>>;
  readonly names: { readonly service: Placed<string>; readonly route: string };
  readonly hostNames: readonly Placed<string>[];
  readonly access: { readonly allowIdentities: PlacedList<string> };
  readonly gatewayPorts: readonly { readonly port: number }[];
}

/** A host's own routes: route-level only, so adding them cuts nobody's session. */
export function hostRoute(host: Host, gateway: GatewayName): Manifest<"VirtualService"> {
  const { namespace, labels, names, hostNames } = host;
  const { allowIdentities } = host.access;
  const certificate = isEmpty(allowIdentities)
    ? {}
    : { headers: { [certificateHeader]: { regex: whenListed(allowIdentities, clientCertificatePattern) } } };
  const http = host.gatewayPorts.map(({ port }) => ({
    name: connectRouteName,
    match: [{ authority: { regex: portPattern(port) }, ...certificate }],
    // A client asks again itself. Istio's default would be a fifth of every route, and all of them are sent at each change.
    retries: { attempts: 0 },
    route: [{ destination: { host: internalName(names.service, namespace), port: { number: port } } }],
  }));
  return route({ name: names.route, namespace, labels }, gateway, { hosts: hostNames, http });
}

/**
 * Envoy strips the port before it compares a name with `hosts`, whatever its case; only the port is left to match.
 * A match of the whole authority would tell upper from lower case, and would stand in the route table once a name.
 */
export const portPattern = (port: number | string) => `[^:]+:${port}`;

export const certificateHeader = "x-forwarded-client-cert";

// A quoted part of the header; Envoy escapes a quote inside a certificate's subject with a backslash.
const quoted = String.raw`"([^"\\]|\\.)*"`;
const before = `(By=[^;,"]*;)*Hash=[0-9a-f]+;(Cert=${quoted};)?(Chain=${quoted};)?Subject=${quoted};URI=(`;
const behind = ")(;.*)?";

// No character at all, which no text has.
const never = String.raw`[^\s\S]`;

/** Istio's webhook takes no longer patterns. */
export const longestPattern = 1024;

/**
 * Which client certificates may open one container's tunnel: an RE2 expression for the whole `x-forwarded-client-cert`
 * header, which the gateway's Envoy writes itself from the certificate it has verified (and removes where there was none).
 * Everything before `URI=` is spelt out, so that no other part of a certificate, such as its subject, can pass for a URI.
 */
export function clientCertificatePattern(identities: readonly string[]): string {
  // An empty list matches nobody; an empty alternative would match a certificate without a URI.
  const uris =
    identities.length === 0 ? never : identities.map((uri) => uri.replace(/[.]/g, "\\.")).join("|");
  return `${before}${uris}${behind}`;
}

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const uri = String.raw`spiffe://([a-z0-9_-]|\\[.])+(/([A-Za-z0-9_-]|\\[.])+)+`;

/** CEL: whether `text` is a pattern of `portPattern`. */
const isPortPattern = (text: string) => `${text}.matches(r'^${literally(portPattern(""))}[0-9]{1,5}$')`;

/** CEL: whether `text` is a pattern of `clientCertificatePattern`. */
const isCertificatePattern = (text: string) =>
  `${text}.size() <= ${longestPattern} && ${text}.matches(r'^${literally(before)}(${literally(never)}|${uri}([|]${uri})*)${literally(behind)}$')`;

interface SshGateway extends GatewayName<string> {
  readonly domain: string;
}

const pattern = (text: string) => text.replaceAll(".", "[.]");

/** A namespace's routes lead from its own names to its own Services, and have no field that a container's has not. */
export function sshRoutesPolicy(plan: SshGateway): AdmissionPolicy {
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
      expression: `${httpRoutes}.all(rule, rule.?name.orValue('') == '${connectRouteName}')`,
      message: `gateway ${gateway} carries SSH only: name every http route ${connectRouteName}`,
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
