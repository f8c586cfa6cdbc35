/** Kubernetes' own objects that would lead a Service out of its namespace or open a container's policies. */
import { privateNetworks } from "../../../packages/drawbridge/src/kubernetes/networks.ts";
import { forged } from "./api-attack.ts";
import type { ApiObject } from "./api-user.ts";
import { type Attack, namespaceOf, type Place, variants, type Who } from "./attack.ts";
import { annotated, noNames, ownAnnotation, takesNames } from "./dns-names.ts";
import { labelled, manyPorts } from "./greedy-services.ts";
import { greedyWorkloads } from "./greedy-workloads.ts";

type Spec = Record<string, unknown>;

export const metadata = (place: Place, who: Who, labels?: Readonly<Record<string, string>>) => ({
  name: "attack",
  namespace: namespaceOf(who, place),
  ...(labels === undefined ? {} : { labels }),
});

const port = { name: "tcp-ssh", port: 22, protocol: "TCP" };

/** A container's Service. */
export function service(place: Place, who: Who, spec: Spec = {}): ApiObject {
  const own = { clusterIP: "None", selector: { app: "own" }, ports: [port] };
  return { apiVersion: "v1", kind: "Service", metadata: metadata(place, who), spec: { ...own, ...spec } };
}

/** A Service that is another name for `host`. */
export const alias = (place: Place, who: Who, host: string) => {
  const spec = { type: "ExternalName", externalName: host, selector: { app: "own" } };
  return { ...service(place, who), spec };
};

const ownService = {
  policy: "team-services",
  who: "deployer",
  twin: (place: Place) => service(place, "deployer"),
} as const;

const services = [
  ...variants<string>(
    {
      ...ownService,
      name: "a Service that is another name for somebody else",
      refusal: /may not be an ExternalName/,
      make: (place, host) => alias(place, "deployer", host),
    },
    {
      "the API server": () => "kubernetes.default.svc.cluster.local",
      "another's container": ({ victim }) => `box.${victim}.svc.cluster.local`,
      "the metadata address": () => "169.254.169.254.nip.io",
    },
  ),
  ...variants<Spec>(
    {
      ...ownService,
      name: "a Service that catches what others send",
      refusal: /may not have externalIPs/,
      make: (place, spec) => service(place, "deployer", { ...spec, selector: { app: "own" } }),
      twin: (place) => service(place, "deployer", { clusterIP: undefined }),
    },
    { "an address of the API server's": () => ({ clusterIP: undefined, externalIPs: ["10.96.0.1"] }) },
  ),
  ...variants<Spec>(
    {
      ...ownService,
      name: "a Service that keeps the addresses of pods that are gone",
      refusal: /a Service of a team's namespace has a selector/,
      make: (place, spec) => service(place, "deployer", spec),
    },
    { "no selector": () => ({ selector: undefined }), "an empty one": () => ({ selector: {} }) },
  ),
  ...variants<number>(
    {
      ...ownService,
      name: "a Service that fills every gateway",
      refusal: /a Service of a team's namespace may have at most 16 ports/,
      make: (place, count) => service(place, "deployer", { ports: manyPorts(count) }),
      twin: (place) => service(place, "deployer", { ports: manyPorts(16) }),
    },
    { "250 ports": () => 250, "a port too many": () => 17 },
  ),
  ...variants<number>(
    {
      ...ownService,
      name: "a Service whose slices fill etcd",
      refusal: /the labels of a Service of a team's namespace may take at most 1024 bytes/,
      make: (place, count) => labelled(service(place, "deployer"), count),
      twin: (place) => labelled(service(place, "deployer"), 15),
    },
    { "by many labels": () => 400, "by a label too many": () => 16 },
  ),
  ...variants<string>(
    {
      ...ownService,
      name: "a Service that takes a name in the DNS",
      refusal: noNames,
      make: (place, key) => annotated(service(place, "deployer"), key),
      twin: (place) => annotated(service(place, "deployer"), ownAnnotation),
    },
    takesNames,
  ),
];

/** A slice for the Service `own`. */
export function slice(place: Place, who: Who, address: string, port = 22): ApiObject {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: metadata(place, who, { "kubernetes.io/service-name": "own" }),
    addressType: "IPv4",
    endpoints: [{ addresses: [address] }],
    ports: [{ name: "tcp-ssh", port, protocol: "TCP" }],
  };
}

export function endpoints(place: Place, who: Who, address: string): ApiObject {
  const subsets = [{ addresses: [{ ip: address }], ports: [port] }];
  return { apiVersion: "v1", kind: "Endpoints", metadata: metadata(place, who), subsets };
}

/** Kinds that only the control plane or the platform write; refused as a whole. */
const written = {
  policy: "team-addresses",
  who: "owner",
  newAlone: true,
  refusal: forged,
  twin: (place: Place) => service(place, "owner"),
} as const;

const slices = [
  ...variants<[string, number]>(
    {
      ...written,
      name: "a slice by hand",
      make: (place, [address, to]) => slice(place, "owner", address, to),
    },
    {
      "another's container": () => ["10.244.0.9", 22],
      "the API server": () => ["10.96.0.1", 6443],
      "the kubelet": () => ["192.0.2.1", 10250],
    },
  ),
  ...variants<string>(
    { ...written, name: "endpoints by hand", make: (place, address) => endpoints(place, "owner", address) },
    { "another's container": () => "10.244.0.9", "the API server": () => "10.96.0.1" },
  ),
];

const without = (list: readonly string[], one: string) => list.filter((network) => network !== one);

/** Kinds of others' programs, which reach beyond the namespace. */
const othersKinds: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  "a gateway's way to a Service, in TLS": ["gateway.networking.k8s.io/v1", "BackendTLSPolicy"],
  "a gateway's load of a Service": ["gateway.networking.x-k8s.io/v1", "XBackendTrafficPolicy"],
  "a record of external-dns": ["externaldns.k8s.io/v1", "DNSEndpoint"],
  "a policy of Cilium's": ["cilium.io/v1", "CiliumNetworkPolicy"],
  "a redirection of Cilium's": ["cilium.io/v1", "CiliumLocalRedirectPolicy"],
  "a proxy of Cilium's": ["cilium.io/v1", "CiliumEnvoyConfig"],
  "a policy of Calico's": ["projectcalico.org/v1", "NetworkPolicy"],
  "the same as it is stored": ["crd.projectcalico.org/v1", "NetworkPolicy"],
};
const others = (place: Place, [apiVersion, kind]: readonly [string, string]): ApiObject => ({
  apiVersion,
  kind,
  metadata: metadata(place, "owner"),
  spec: {},
});

/** One of each kind of others' programs. */
export const othersObjects = (place: Place): ApiObject[] =>
  Object.values(othersKinds).map((kind) => others(place, kind));

const ofOthers = variants<readonly [apiVersion: string, kind: string]>(
  { ...written, bare: true, name: "what the platform writes", make: others },
  othersKinds,
);

/** The NetworkPolicy of a container, by its egress. */
export function policy(place: Place, who: Who, egress: unknown): ApiObject {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: metadata(place, who),
    spec: { podSelector: { matchLabels: { app: "own" } }, policyTypes: ["Egress"], egress },
  };
}

const dnsPort = [{ port: 53, protocol: "UDP" }];
const named = (name: string) => ({ matchLabels: { "kubernetes.io/metadata.name": name } });
const dnsPods = {
  namespaceSelector: named("kube-system"),
  podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
};
const frpsPods = { matchLabels: { "app.kubernetes.io/component": "frp-server" } };

/** Networks that a test's platform allows. */
export const allowedNetwork = "10.7.0.0/16";

/** What a container may reach: DNS, the internet, frps, its own namespace, and what the platform allows. */
const ownEgress = (place: Place) => [
  { to: [dnsPods, { ipBlock: { cidr: "169.254.20.10/32" } }], ports: dnsPort },
  {
    to: [
      { ipBlock: { cidr: "0.0.0.0/0", except: [...privateNetworks.ipv4] } },
      { ipBlock: { cidr: "::/0", except: [...privateNetworks.ipv6] } },
    ],
  },
  { to: [{ namespaceSelector: named("frp"), podSelector: frpsPods }], ports: [{ port: 7000 }] },
  { to: [{ podSelector: {} }, { namespaceSelector: named(place.team), podSelector: {} }] },
  { to: [{ ipBlock: { cidr: "10.7.8.0/24" } }, { ipBlock: { cidr: "192.0.2.0/24" } }] },
];

const egress = {
  policy: "team-egress",
  who: "deployer",
  twin: (place: Place) => policy(place, "deployer", ownEgress(place)),
} as const;

const open = variants<unknown>(
  {
    ...egress,
    name: "an egress rule for everything",
    refusal: /an egress rule without `to` opens everything; name the peers/,
    make: (place, rules) => policy(place, "deployer", rules),
  },
  {
    "no peers": () => [{}],
    "ports alone": () => [{ ports: [{ port: 443 }] }],
    "an empty list": () => [{ to: [] }],
    "behind a narrow one": (place: Place) => [...ownEgress(place), {}],
  },
);

const block = (cidr: string, except?: readonly string[]) => ({
  to: [{ ipBlock: { cidr, ...(except === undefined ? {} : { except }) } }],
});

/** For each network, a rule for it alone, and one for the whole internet that leaves out all networks but this. */
const wholeBut = (whole: string, networks: readonly string[]) =>
  Object.fromEntries(
    networks.flatMap((network) => [
      [`the internet and ${network}`, () => block(whole, without(networks, network))],
      [network, () => block(network)],
    ]),
  );

const blocks = variants<unknown>(
  {
    ...egress,
    name: "an egress rule for a private network",
    refusal: /an ipBlock of an egress rule must leave out private networks \(0\.0\.0\.0\/8, 10\.0\.0\.0\/8, /,
    make: (place, rule) => policy(place, "deployer", [rule]),
  },
  {
    ...wholeBut("0.0.0.0/0", privateNetworks.ipv4),
    ...wholeBut("::/0", privateNetworks.ipv6),
    "all without exception": () => block("0.0.0.0/0"),
    "one address": () => block("10.96.0.1/32"),
    "the metadata address": () => block("169.254.169.254/32"),
    "a network around one": () => block("8.0.0.0/5"),
    "a hole that is too small": () => block("8.0.0.0/5", ["10.0.0.0/9"]),
    "around what is allowed": () => block("10.6.0.0/15"),
    "the nodes' DNS address on every port": () => block("169.254.20.10/32"),
    "the nodes' DNS address on another port": () => ({
      ...block("169.254.20.10/32"),
      ports: [{ port: 53 }, { port: 80 }],
    }),
    "the nodes' DNS address from the DNS port up": () => ({
      ...block("169.254.20.10/32"),
      ports: [{ port: 53, endPort: 65_535 }],
    }),
    "another address on the DNS port": () => ({ ...block("169.254.20.11/32"), ports: [{ port: 53 }] }),
    "behind a public one": () => ({
      to: [{ ipBlock: { cidr: "192.0.2.0/24" } }, { ipBlock: { cidr: "10.96.0.1/32" } }],
    }),
  },
);

const pods = variants<unknown>(
  {
    ...egress,
    name: "an egress rule for others' pods",
    refusal: /an egress rule may name pods of its own namespace, the cluster's DNS/,
    make: (place, peer) => policy(place, "deployer", [{ to: [peer], ports: dnsPort }]),
  },
  {
    "every namespace": () => ({ namespaceSelector: {} }),
    "every pod everywhere": () => ({ namespaceSelector: {}, podSelector: {} }),
    "another team": ({ victim }: Place) => ({ namespaceSelector: named(victim) }),
    "the platform's": () => ({ namespaceSelector: named("istio-system"), podSelector: {} }),
    "all of the control plane": () => ({ namespaceSelector: named("kube-system") }),
    "others in kube-system": () => ({
      namespaceSelector: named("kube-system"),
      podSelector: { matchLabels: { "k8s-app": "metrics-server" } },
    }),
    "DNS pods elsewhere": ({ victim }: Place) => ({ ...dnsPods, namespaceSelector: named(victim) }),
    "by another label": () => ({ namespaceSelector: { matchLabels: { role: "x" } }, podSelector: {} }),
    "by an expression": ({ team }: Place) => ({
      namespaceSelector: {
        matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: [team] }],
      },
    }),
  },
);

const dnsPorts = variants<unknown>(
  {
    ...egress,
    name: "an egress rule for more ports of the DNS pods than DNS",
    refusal: /an egress rule may name pods of its own namespace, the cluster's DNS/,
    make: (place, ports) =>
      policy(place, "deployer", [{ to: [dnsPods], ...(ports === undefined ? {} : { ports }) }]),
  },
  {
    "every port": () => undefined,
    "another port": () => [{ port: 9153 }],
    "one more port": () => [{ port: 53 }, { port: 9153 }],
    "every port from there up": () => [{ port: 53, endPort: 65_535 }],
    "every port from there up, beside it": () => [{ port: 53 }, { port: 53, protocol: "UDP", endPort: 9153 }],
  },
);

export const kubernetesAttacks: readonly Attack[] = [
  ...services,
  ...greedyWorkloads,
  ...slices,
  ...ofOthers,
  ...open,
  ...blocks,
  ...pods,
  ...dnsPorts,
];
