/** Istio's objects that would take the gateway's pods, claim a Service's name, or lend the gateway's keys. */
import { selectorLabels } from "../../../packages/manifests/src/index.ts";
import type { ApiObject } from "./api-user.ts";
import { type Attack, namespaceOf, type Place, variants, type Who } from "./attack.ts";

type Spec = Record<string, unknown>;

const object = (kind: string, place: Place, who: Who, spec: Spec, annotations?: Spec): ApiObject =>
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

const servers = [{ port: { number: 80, name: "http", protocol: "HTTP" }, hosts: ["*/*"] }];

export const gateway = (place: Place, who: Who, spec: Spec, annotations?: Spec) =>
  object("Gateway", place, who, { servers, ...spec }, annotations);

export const gatewayLabels = ({ gateway: { name } }: Place) => selectorLabels("ssh-gateway", name);

/** A Gateway of somebody's own proxies, which everybody may have. */
export const ownGateway = (place: Place, who: Who) => gateway(place, who, { selector: { istio: "own" } });

const gatewayAttack = (who: Who) => ({
  wall: "gateways",
  who,
  twin: (place: Place) => ownGateway(place, who),
});

const takesPods = /this Gateway would take the pods of gateway /;

const selectors = (["owner", "bystander"] as const).flatMap((who) =>
  variants<Spec>(
    {
      ...gatewayAttack(who),
      name: `a Gateway of a${who === "owner" ? " team" : " bystander"} with the gateway's pods`,
      refusal: takesPods,
      make: (place, spec) => gateway(place, who, spec),
    },
    {
      "no selector": () => ({}),
      "all of their labels": (place) => ({ selector: gatewayLabels(place) }),
      "the label of one": ({ gateway: { name } }) => ({ selector: { "app.kubernetes.io/instance": name } }),
      "the kind's label": () => ({ selector: { "app.kubernetes.io/part-of": "drawbridge" } }),
      "a label of injection's": () => ({ selector: { "service.istio.io/canonical-revision": "latest" } }),
      "another of injection's": ({ gateway: { name } }) => ({
        selector: { "service.istio.io/canonical-name": name },
      }),
      "the revision": () => ({ selector: { "istio.io/rev": "default" } }),
      "the injection": () => ({ selector: { "sidecar.istio.io/inject": "true" } }),
      "the ReplicaSet's label": () => ({ selector: { "pod-template-hash": "5d4f8c7b9" } }),
      "the node": () => ({ selector: { "kubernetes.io/hostname": "lab" } }),
      "the zone": () => ({ selector: { "topology.kubernetes.io/zone": "a" } }),
      "the cluster": () => ({ selector: { "topology.istio.io/cluster": "Kubernetes" } }),
      "their labels and an added one": (place) => ({
        selector: { ...gatewayLabels(place), "istio.io/rev": "default" },
      }),
    },
  ),
);

const attached = (["owner", "bystander"] as const).flatMap((who) =>
  variants<Record<string, string>>(
    {
      ...gatewayAttack(who),
      name: `a Gateway of a${who === "owner" ? " team" : " bystander"} with istiod's annotations`,
      refusal: /annotations internal\.istio\.io\/… are istiod's own; remove them/,
      make: (place, annotations) => gateway(place, who, { selector: { istio: "own" } }, annotations),
    },
    {
      "gateway-service": ({ gateway: { name, namespace } }) => ({
        "internal.istio.io/gateway-service": `${name}.${namespace}.svc.cluster.local`,
        "internal.istio.io/parent-namespace": namespace,
      }),
    },
  ),
);

/** A Gateway of the Gateway API, for somebody's own Service or for another. */
export const apiGateway = (place: Place, who: Who, value: string): ApiObject => ({
  ...gateway(place, who, { gatewayClassName: "istio", addresses: [{ type: "Hostname", value }] }),
  apiVersion: "gateway.networking.k8s.io/v1",
});

const byApi = (["owner", "bystander"] as const).flatMap((who) =>
  variants<string>(
    {
      wall: "gateway-api",
      who,
      name: `a Gateway API Gateway of a${who === "owner" ? " team" : " bystander"} for the gateway's Service`,
      refusal: /the Service of gateway \S+ is not yours to name/,
      make: (place, value) => apiGateway(place, who, value),
      twin: (place) => apiGateway(place, who, `own.${namespaceOf(who, place)}.svc.cluster.local`),
    },
    {
      "its whole name": ({ gateway: { name, namespace } }) => `${name}.${namespace}.svc.cluster.local`,
      "its short name": ({ gateway: { name, namespace } }) => `${name}.${namespace}`,
      "in capitals": ({ gateway: { name, namespace } }) => `${name}.${namespace}.SVC`.toUpperCase(),
    },
  ),
);

const byApiAnnotation: Attack = {
  wall: "gateway-api",
  who: "owner",
  name: "a Gateway API Gateway with istiod's annotations",
  refusal: /annotations internal\.istio\.io\/… are istiod's own; remove them/,
  object: (place) => {
    const object = apiGateway(place, "owner", `own.${place.team}.svc.cluster.local`);
    const annotations = { "internal.istio.io/parent-namespace": place.gateway.namespace };
    return { ...object, metadata: { ...object.metadata, annotations } };
  },
  twin: (place) => apiGateway(place, "owner", `own.${place.team}.svc.cluster.local`),
};

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
      wall: "service-entries",
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
  wall: "team-service-entries",
  who: "owner",
  twin: (place: Place) => entry(place, "owner"),
} as const;

const ownClaims = variants<string>(
  {
    ...teamEntry,
    wall: "service-entries",
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
    wall: "team-workload-entries",
    who: "owner",
    name: "a WorkloadEntry that a Service selects",
    refusal: /WorkloadEntry and WorkloadGroup are not for a team's namespace/,
    object: (place) =>
      object("WorkloadEntry", place, "owner", { address: "10.96.0.1", labels: { app: "own" } }),
    twin: (place) => entry(place, "owner"),
  },
  {
    wall: "team-workload-entries",
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
      portLevelSettings: [
        { port: { number: 22 }, tls: { mode: "DISABLE" } },
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
        wall: "team-destination-rules",
        who: "owner",
        name: `a DestinationRule that lends the gateway's: ${what}, ${where}`,
        refusal: /a DestinationRule of a team may set TLS to DISABLE or ISTIO_MUTUAL and name no /,
        object: (place) => rule(place, "owner", put(policy)),
        twin: (place) => rule(place, "owner"),
      }),
    ),
);

export const istioAttacks: readonly Attack[] = [
  ...selectors,
  ...attached,
  ...byApi,
  byApiAnnotation,
  ...claims,
  ...ownClaims,
  ...exported,
  ...endpoints,
  ...workloads,
  ...destinationRules,
];
