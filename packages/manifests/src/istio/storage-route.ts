/** A storage's route on a gateway for files, and what the gateway's policy takes for one. */
import type { AdmissionPolicy } from "../common/admission.ts";
import type { Manifest } from "../common/manifest.ts";
import { internalName } from "../common/names.ts";
import { type Placed, text } from "../common/placed.ts";
import { noInternals } from "./foreign-gateways.ts";
import {
  bindsFromElsewhere,
  dnsLabelPattern,
  type GatewayName,
  hole,
  type Owner,
  ownServices,
  ownServicesOnly,
  route,
  routePolicy,
  shapeOf,
} from "./route.ts";

interface Proxy extends GatewayName {
  /** The schemas saw to it that there is one. */
  readonly dnsName?: Placed<string | undefined> | undefined;
}

const hostsOf = ({ dnsName }: Proxy) => [dnsName as Placed<string>];

interface Files extends Owner {
  /** The path below which the storage is served, without a slash at the end. */
  readonly path: Placed<string>;
  /** The port of the Service of this name, or the page that is shown instead. */
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
  /** What a storage's route leads to: the port of its Service, or the page of one that is off. */
  readonly targets: readonly Files["target"][];
}

/**
 * A route on this gateway is what `filesRoute` makes: the proxy's own host, a path below the namespace's, one of its
 * Services or the page that says that a storage is off.
 */
export function storageRoutesPolicy({ targets, ...gateway }: StorageGateway): AdmissionPolicy {
  const of = `gateway ${gateway.namespace}/${gateway.name}`;
  const own = "'/storage/' + request.namespace + '/'";
  const files = {
    name: hole("variables.service"),
    namespace: hole("request.namespace"),
    labels: {},
    path: hole("variables.path"),
  };
  const shapes = targets.map((target) =>
    shapeOf(
      filesRoute({ ...files, target }, { ...gateway, dnsName: hole("object.spec.?hosts[?0].orValue('')") })
        .spec,
    ),
  );
  return {
    ...routePolicy("", bindsFromElsewhere(gateway), [
      {
        expression: `object.spec.?hosts.orValue([]) == ['${gateway.dnsName}']`,
        message: `a route on ${of} must have the one host ${gateway.dnsName}`,
      },
      {
        expression: `variables.path.matches('^' + ${own} + '${dnsLabelPattern}$')`,
        messageExpression: `'every route on ${of} must match a path below ' + ${own}`,
      },
      { expression: ownServices, messageExpression: ownServicesOnly(of) },
      {
        expression: shapes.map((shape) => `object.spec == ${shape}`).join(" || "),
        message: `a route on ${of} is what a storage's is: its path, exactly and with what is below, to port ${targets[0]} of a Service, or the 503 of a storage that is off; what else you route goes on a gateway of your own`,
      },
      noInternals,
    ]),
    variables: [
      { name: "path", expression: `object.spec.?http[?0].?match[?0].?uri.?exact.orValue('')` },
      {
        name: "service",
        expression: `object.spec.?http[?0].?route[?0].?destination.?host.orValue('').split('.')[0]`,
      },
    ],
  };
}
