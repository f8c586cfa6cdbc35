/** Istio's objects that would claim a Service's name or lend the gateway's keys. */

import { forged } from "./api-attack.ts";
import type { ApiObject } from "./api-user.ts";
import { type Attack, namespaceOf, type Place, variants, type Who } from "./attack.ts";
import { many } from "./route.ts";

type Spec = Record<string, unknown>;

export const object = (kind: string, place: Place, who: Who, spec: Spec, annotations?: Spec): ApiObject =>
  ({
    apiVersion: "networking.istio.io/v1",
    kind,
    metadata: {
      name: "attack",
      namespace: namespaceOf(who, place),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec,
  }) as ApiObject;

/** A ServiceEntry of an outside host. */
export const entry = (place: Place, who: Who, spec: Spec = {}) =>
  object("ServiceEntry", place, who, {
    hosts: ["api.example.org"],
    ports: [{ number: 22, name: "tcp", protocol: "TCP" }],
    resolution: "STATIC",
    endpoints: [{ address: "192.0.2.7" }],
    ...(who === "owner" ? { exportTo: ["."] } : {}),
    ...spec,
  });

const claimed =
  /a ServiceEntry may claim no name below svc\.cluster\.local but <name>\.\S+\.svc\.cluster\.local, and in a team's namespace not that/;

const claims = (["owner", "bystander"] as const).flatMap((who) =>
  variants<string>(
    {
      policy: "service-entries",
      who,
      name: `a ServiceEntry of a${who === "owner" ? " team" : " bystander"} with a name that is not its own`,
      refusal: claimed,
      make: (place, host) => entry(place, who, { hosts: ["api.example.org", host] }),
      twin: (place) =>
        entry(place, who, who === "owner" ? {} : { hosts: [`own.${place.bystander}.svc.cluster.local`] }),
    },
    {
      "another's container": ({ victim }) => `box.${victim}.svc.cluster.local`,
      "in capitals": ({ victim }) => `BOX.${victim.toUpperCase()}.SVC.cluster.local`,
      "with a dot behind": ({ victim }) => `box.${victim}.svc.cluster.local.`,
      "a whole namespace": ({ victim }) => `*.${victim}.svc.cluster.local`,
      "all Services": () => "*.svc.cluster.local",
      "the cluster": () => "*.cluster.local",
      "everything local": () => "*.local",
      "own part in front": (place) => `x.${namespaceOf(who, place)}.${place.victim}.svc.cluster.local`,
      "a name below a name of its own": (place) => `x.y.${namespaceOf(who, place)}.svc.cluster.local`,
    },
  ),
);

const teamEntry = {
  policy: "team-service-entries",
  who: "owner",
  twin: (place: Place) => entry(place, "owner"),
} as const;

const ownClaims = variants<string>(
  {
    ...teamEntry,
    policy: "service-entries",
    name: "a ServiceEntry of a team with a name of the cluster's",
    refusal: claimed,
    make: (place, host) => entry(place, "owner", { hosts: [host] }),
  },
  {
    "its own": ({ team }) => `own.${team}.svc.cluster.local`,
    "all of its own": ({ team }) => `*.${team}.svc.cluster.local`,
  },
);

const exports: Readonly<Record<string, (place: Place) => string[]>> = {
  "by default": () => [],
  "for all": () => ["*"],
  "for one": ({ victim }) => [victim],
  "for itself and one": ({ victim }) => [".", victim],
};

const exported = variants<string[]>(
  {
    ...teamEntry,
    name: "a ServiceEntry of a team that others' sidecars obey",
    refusal: /a team's ServiceEntry must not be exported/,
    make: (place, exportTo) => entry(place, "owner", { exportTo }),
  },
  exports,
);

const instances = variants<Spec>(
  {
    ...teamEntry,
    name: "a ServiceEntry that fills istiod",
    refusal: /a team's ServiceEntry may have no workloadSelector, and hosts, ports, endpoints/,
    make: (place, spec) => entry(place, "owner", spec),
  },
  {
    "hosts by endpoints": () => ({
      hosts: many(33, (index) => `own-${index}.example.org`),
      endpoints: many(32, (index) => ({ address: `192.0.2.${index}` })),
    }),
    "ports by endpoints": () => ({
      ports: many(129, (index) => ({ number: 1000 + index, name: `p${index}`, protocol: "TCP" })),
      endpoints: many(8, (index) => ({ address: `192.0.2.${index}` })),
    }),
    "addresses by endpoints": () => ({
      addresses: many(129, (index) => `198.51.100.${index}`),
      endpoints: many(8, (index) => ({ address: `192.0.2.${index}` })),
    }),
    "pods that it selects": () => ({ endpoints: undefined, workloadSelector: { labels: { app: "own" } } }),
  },
);

const endpoints = variants<string>(
  {
    ...teamEntry,
    name: "a ServiceEntry of a team with an endpoint inside the proxy",
    refusal:
      /an endpoint of a team's ServiceEntry must be a full host name or an address that is not loopback/,
    make: (place, address) =>
      entry(place, "owner", {
        resolution: /^[0-9a-f:.]+$/.test(address) || address.startsWith("unix") ? "STATIC" : "DNS",
        endpoints: [{ address: "192.0.2.7" }, { address }],
      }),
  },
  {
    "a unix socket": () => "unix:///var/run/secrets/workload-spiffe-uds/socket",
    "an abstract socket": () => "unix://@x",
    loopback: () => "127.0.0.1",
    "another loopback": () => "127.8.8.8",
    "IPv6 loopback": () => "::1",
    "loopback in another form": () => "::ffff:127.0.0.1",
    "link-local": () => "169.254.169.254",
    "IPv6 link-local": () => "fe80::1",
    "any address": () => "0.0.0.0",
    "IPv6 any": () => "::",
    localhost: () => "localhost",
    "below localhost": () => "x.localhost",
    "a short address": () => "127.1",
    "a short name": () => "own",
  },
);

const workloads = variants<readonly [kind: string, spec: Spec]>(
  {
    policy: "team-addresses",
    who: "owner",
    newAlone: true,
    name: "an address of Istio's",
    refusal: forged,
    make: (place, [kind, spec]) => object(kind, place, "owner", spec),
    twin: (place) => entry(place, "owner"),
  },
  {
    "a WorkloadEntry that a Service selects": [
      "WorkloadEntry",
      { address: "10.96.0.1", labels: { app: "own" } },
    ],
    "a WorkloadGroup": ["WorkloadGroup", { template: { serviceAccount: "default" } }],
  },
);

/** A route of the Gateway API. */
const apiRoute = (kind: string, place: Place, parent: Spec): ApiObject => ({
  ...object(kind, place, "owner", { parentRefs: [{ group: "", kind: "Service", name: "box", ...parent }] }),
  apiVersion: "gateway.networking.k8s.io/v1",
});

const apiRoutes = ["HTTPRoute", "GRPCRoute", "TCPRoute", "TLSRoute", "UDPRoute"].flatMap((kind) =>
  variants<Spec>(
    {
      policy: "team-routes",
      who: "owner",
      bare: true,
      name: `a team's ${kind} for those who call`,
      refusal: /a team's route may belong to Services of its own namespace alone/,
      make: (place, parent) => apiRoute(kind, place, parent),
      twin: (place) => apiRoute(kind, place, {}),
    },
    {
      "another's Service": ({ victim }) => ({ namespace: victim }),
      "another's ServiceEntry": ({ victim }) => ({
        group: "networking.istio.io",
        kind: "ServiceEntry",
        namespace: victim,
      }),
    },
  ),
);

/** A DestinationRule for one's own Service. */
export const rule = (place: Place, who: Who, spec: Spec = {}) =>
  object("DestinationRule", place, who, {
    host: `own.${namespaceOf(who, place)}.svc.cluster.local`,
    trafficPolicy: {
      tls: { mode: "SIMPLE", caCertificates: "/etc/certs/ca.pem" },
      tunnel: tunnelTo("example.org"),
    },
    subsets: [{ name: "a", labels: { a: "b" } }],
    exportTo: ["."],
    ...spec,
  });
const tunnelTo = (targetHost: string) => ({ protocol: "CONNECT", targetHost, targetPort: 22 });

const rules = variants<string[]>(
  {
    policy: "team-destination-rules",
    who: "owner",
    name: "a DestinationRule of a team that the gateway obeys",
    refusal: /a team's DestinationRule must not be exported/,
    make: (place, exportTo) => rule(place, "owner", { exportTo }),
    twin: (place) => rule(place, "owner"),
  },
  exports,
);

export const istioAttacks: readonly Attack[] = [
  ...claims,
  ...ownClaims,
  ...exported,
  ...endpoints,
  ...instances,
  ...workloads,
  ...apiRoutes,
  ...rules,
];
