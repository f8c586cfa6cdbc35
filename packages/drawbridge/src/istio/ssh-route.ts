/**
 * A host's route on a gateway, and what the gateway's policy takes for one: what stands here and nothing else. istiod takes
 * every pattern of Go's, Envoy only RE2's: one other pattern, and it refuses the routes of everybody.
 */

import { type Input, type InputList, isEmpty, text, whenKnown, whenListed } from "../kit/input.ts";
import { type AdmissionPolicy, inATeam } from "../kubernetes/admission.ts";
import { teamLabel } from "../kubernetes/labels.ts";
import { compact, type Manifest } from "../kubernetes/manifest.ts";
import { internalName } from "../kubernetes/names.ts";
import { noInternals } from "./foreign-gateways.ts";
import {
  bindsTo,
  dnsLabelPattern,
  type GatewayName,
  hole,
  httpRoutes,
  ownServices,
  route,
  shapeOf,
} from "./route.ts";
import { most } from "./team-limits.ts";

/** Routes with this name become CONNECT routes by the gateway's one EnvoyFilter. */
export const connectRouteName = "ssh-connect";

interface Host {
  readonly namespace: Input<string>;
  readonly labels: Readonly<Record<string, string>>;
  readonly names: { readonly service: Input<string>; readonly route: string };
  readonly hostNames: readonly Input<string>[];
  readonly access: { readonly allowIdentities: InputList<string> };
  readonly gatewayPorts: readonly { readonly port: Input<number> }[];
}

/** A host's own routes: route-level only, so adding them cuts nobody's session. */
export function hostRoute(host: Host, gateway: GatewayName): Manifest<"VirtualService"> {
  const { namespace, labels, names, hostNames } = host;
  const { allowIdentities } = host.access;
  const service = internalName(names.service, namespace);
  const certificate = isEmpty(allowIdentities)
    ? undefined
    : whenListed(allowIdentities, clientCertificatePattern);
  return route({ name: names.route, namespace, labels }, gateway, {
    hosts: hostNames,
    http: host.gatewayPorts.map(({ port }) => sshRule(port, service, certificate)),
  });
}

const sshRule = (port: Input<number>, service: Input<string>, certificate?: Input<string>) => ({
  name: connectRouteName,
  match: [
    compact({
      authority: { regex: whenKnown(port, portPattern) },
      headers: certificate === undefined ? undefined : { [certificateHeader]: { regex: certificate } },
    }),
  ],
  // A client asks again itself. Istio's default would be a fifth of every route, and all of them are sent at each change.
  retries: { attempts: 0 },
  route: [{ destination: { host: service, port: { number: port } } }],
});

/** The names of a host on a gateway: for everybody who reaches it, and inside the cluster. */
export const gatewayHostNames = (
  name: Input<string>,
  namespace: Input<string>,
  domain: Input<string>,
): Input<string>[] => [text`${name}.${namespace}.${domain}`, internalName(name, namespace)];

/**
 * Envoy strips the port before it compares a name with `hosts`, whatever its case; only the port is left to match.
 * A match of the whole authority would tell upper from lower case, and would stand in the route table once for each name.
 */
const portPattern = (port: number | string) => `[^:]+:${port}`;

const certificateHeader = "x-forwarded-client-cert";

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

/** CEL: whether `text` is a pattern of `clientCertificatePattern`. */
const isCertificatePattern = (text: string) =>
  `${text}.size() <= ${longestPattern} && ${text}.matches(r'^${literally(before)}(${literally(never)}|${uri}([|]${uri})*)${literally(behind)}$')`;

interface SshGateway extends GatewayName<string> {
  readonly domain: string;
}

const namespace = hole("request.namespace");
const firstLabel = (name: string) => `${name}.orValue('').split('.')[0]`;
const to = "rule.?route[?0].?destination";
const port = `${to}.?port.?number.orValue(0)`;
const certificate = `rule.?match[?0].?headers[?'${certificateHeader}'].?regex.orValue('')`;

/** The rules of a route, each to a port of the one Service. */
const rules = (() => {
  const made = (pattern?: string) =>
    shapeOf(sshRule(hole<number>(port), internalName(hole("variables.service"), namespace), pattern));
  const shape = `rule == ${made()} || (rule == ${made(hole(certificate))} && ${isCertificatePattern(certificate)})`;
  return `variables.rules.all(rule, ${port} > 0 && ${port} < 65536 && (${shape}))`;
})();

/** A namespace's routes lead from its own names to its own Services, and are what `hostRoute` makes. */
export function sshRoutesPolicy({ domain, ...gateway }: SshGateway): AdmissionPolicy {
  const of = `gateway ${gateway.namespace}/${gateway.name}`;
  const hosts = gatewayHostNames(hole("variables.name"), namespace, domain);
  const owner = { name: "", namespace, labels: {} };
  const { spec } = route(owner, gateway, {
    hosts: hole<never[]>("variables.hosts"),
    http: hole<never[]>("variables.rules"),
  });
  return {
    name: "",
    requests: [{ apiGroup: "networking.istio.io", resources: ["virtualservices"] }],
    conditions: [{ name: "binds-to-this-gateway", expression: bindsTo(gateway) }],
    rules: [
      {
        expression: inATeam,
        messageExpression: `'${of} takes routes only from the namespaces of teams; label this one: kubectl label namespace ' + request.namespace + ' ${teamLabel}=' + request.namespace`,
      },
      {
        expression: `variables.name.matches('^${dnsLabelPattern}$') && variables.hosts == ${shapeOf(hosts)}`,
        messageExpression: `'the hosts of a route on ${of} are <name>.' + request.namespace + '.${domain} and <name>.' + request.namespace + '.svc.cluster.local'`,
      },
      {
        expression: ownServices,
        messageExpression: `'every route on ${of} must lead to a Service of its own namespace, written <service>.' + request.namespace + '.svc.cluster.local'`,
      },
      {
        expression: `object.spec == ${shapeOf(spec)} && variables.rules.size() <= ${most.rules} && variables.service != '' && ${rules}`,
        message: `a route on ${of} is what a container's is: at most ${most.rules} rules ${connectRouteName} for ports of one Service, each with an authority ${portPattern("<port>")} and perhaps the certificates of access.allowIdentities, at most ${longestPattern} characters; what else you route goes on a gateway of your own`,
      },
      noInternals,
    ],
    variables: [
      { name: "hosts", expression: "object.spec.?hosts.orValue([])" },
      { name: "name", expression: firstLabel("variables.hosts[?0]") },
      { name: "rules", expression: httpRoutes },
      { name: "service", expression: firstLabel("object.spec.?http[?0].?route[?0].?destination.?host") },
    ],
  };
}
