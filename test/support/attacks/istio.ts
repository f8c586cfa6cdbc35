/** Istio's objects that would claim a Service's name or lend the gateway's keys. */
import type { ApiObject } from "./api-user.ts";
import { type Attack, namespaceOf, type Place, variants, type Who } from "./attack.ts";

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

const exported = variants<string[]>(
  {
    ...teamEntry,
    name: "a ServiceEntry of a team that others' sidecars obey",
    refusal: /a team's ServiceEntry must not be exported/,
    make: (place, exportTo) => entry(place, "owner", { exportTo }),
  },
  {
    "by default": () => [],
    "for all": () => ["*"],
    "for one": ({ victim }) => [victim],
    "for itself and one": ({ victim }) => [".", victim],
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

const workloads: Attack[] = [
  {
    policy: "team-workload-entries",
    who: "owner",
    name: "a WorkloadEntry that a Service selects",
    refusal: /WorkloadEntry and WorkloadGroup are not for a team's namespace/,
    object: (place) =>
      object("WorkloadEntry", place, "owner", { address: "10.96.0.1", labels: { app: "own" } }),
    twin: (place) => entry(place, "owner"),
  },
  {
    policy: "team-workload-entries",
    who: "owner",
    name: "a WorkloadGroup",
    refusal: /WorkloadEntry and WorkloadGroup are not for a team's namespace/,
    object: (place) => object("WorkloadGroup", place, "owner", { template: { serviceAccount: "default" } }),
    twin: (place) => entry(place, "owner"),
  },
];

/** A DestinationRule for one's own Service. */
export const rule = (place: Place, who: Who, spec: Spec = {}) =>
  object("DestinationRule", place, who, {
    host: `own.${namespaceOf(who, place)}.svc.cluster.local`,
    trafficPolicy: {
      tls: { mode: "ISTIO_MUTUAL", sni: "own" },
      loadBalancer: { simple: "LEAST_REQUEST" },
      portLevelSettings: [
        { port: { number: 22 }, tls: { mode: "DISABLE" }, loadBalancer: { simple: "RANDOM" } },
        { port: { number: 23 }, tls: { mode: "ISTIO_MUTUAL", sni: "own" } },
      ],
    },
    subsets: [
      { name: "a", labels: { a: "b" }, trafficPolicy: { connectionPool: { tcp: { maxConnections: 10 } } } },
    ],
    ...spec,
  });

const lent: Readonly<Record<string, Spec>> = {
  "a credential": { tls: { mode: "SIMPLE", credentialName: "x" } },
  "a key": {
    tls: { mode: "MUTUAL", clientCertificate: "/etc/certs/cert-chain.pem", privateKey: "/etc/certs/key.pem" },
  },
  "a CA": { tls: { mode: "SIMPLE", caCertificates: "/var/run/secrets/istio/root-cert.pem" } },
  "plain TLS": { tls: { mode: "SIMPLE" } },
  "a key without a mode": { tls: { privateKey: "/etc/certs/key.pem" } },
  "a tunnel": { tunnel: { protocol: "CONNECT", targetHost: "example.org", targetPort: 22 } },
  "the PROXY protocol": { proxyProtocol: { version: "V1" } },
};

const places: Readonly<Record<string, (policy: Spec) => Spec>> = {
  "for all": (policy) => ({ trafficPolicy: policy }),
  "for a port": (policy) => ({
    trafficPolicy: { portLevelSettings: [{ port: { number: 22 }, ...policy }] },
  }),
  "for a subset": (policy) => ({ subsets: [{ name: "a", trafficPolicy: policy }] }),
  "for a subset's port": (policy) => ({
    subsets: [{ name: "a", trafficPolicy: { portLevelSettings: [{ port: { number: 22 }, ...policy }] } }],
  }),
};

/** Ports have TLS alone: the API server drops other fields there. */
const possible = (where: string, what: string) =>
  !where.endsWith("port") || !["a tunnel", "the PROXY protocol"].includes(what);

const destinationRules = Object.entries(places).flatMap(([where, put]) =>
  Object.entries(lent)
    .filter(([what]) => possible(where, what))
    .map(
      ([what, policy]): Attack => ({
        policy: "team-destination-rules",
        who: "owner",
        name: `a DestinationRule that lends the gateway's: ${what}, ${where}`,
        refusal: /a DestinationRule of a team may set TLS to DISABLE or ISTIO_MUTUAL and name no /,
        object: (place) => rule(place, "owner", put(policy)),
        twin: (place) => rule(place, "owner"),
      }),
    ),
);

const hash = (settings: Spec) => ({ loadBalancer: { consistentHash: settings } });

/** A ring fills the memory of every gateway, and what it is hashed by gets into routes that all teams share. */
const hashes: Readonly<Record<string, Spec>> = {
  "a ring": hash({ httpHeaderName: "x", minimumRingSize: 8_000_000 }),
  "a ring by its new name": hash({ useSourceIp: true, ringHash: { minimumRingSize: 8_000_000 } }),
  "a table": hash({ useSourceIp: true, maglev: { tableSize: 4_999_999 } }),
  "a header's name that Envoy does not take": hash({ httpHeaderName: "x\n" }),
};

const hashing = Object.entries(places).flatMap(([where, put]) =>
  Object.entries(hashes).map(
    ([what, policy]): Attack => ({
      policy: "team-destination-rules",
      who: "owner",
      name: `a DestinationRule with ${what}, ${where}`,
      refusal: /a DestinationRule of a team may not have consistentHash, and at most 8 subsets/,
      object: (place) => rule(place, "owner", put(policy)),
      twin: (place) => rule(place, "owner"),
    }),
  ),
);

const manySubsets: Attack = {
  policy: "team-destination-rules",
  who: "owner",
  name: "a DestinationRule with too many subsets",
  refusal: /a DestinationRule of a team may not have consistentHash, and at most 8 subsets/,
  object: (place) =>
    rule(place, "owner", { subsets: Array.from({ length: 9 }, (_, index) => ({ name: `s${index}` })) }),
  twin: (place) => rule(place, "owner"),
};

export const istioAttacks: readonly Attack[] = [
  ...claims,
  ...ownClaims,
  ...exported,
  ...endpoints,
  ...workloads,
  ...destinationRules,
  ...hashing,
  manySubsets,
];
