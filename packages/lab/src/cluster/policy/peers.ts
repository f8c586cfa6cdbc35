import { type Labels, selects } from "@drawbridge-iac/drawbridge/src/kubernetes/selector";
import type { V1NetworkPolicyPeer, V1Pod } from "@kubernetes/client-node";
import { addresses } from "../addresses.ts";
import type { GivenOut } from "./given-out.ts";

/** Whom a rule lets through: anyone, a range of addresses, or endpoints. */
export type Peer =
  | { kind: "any" }
  | { kind: "range"; range: string; except: readonly string[] }
  | { kind: "endpoints"; endpoints: readonly Endpoint[] };

/** What peers are looked up in. */
export interface World {
  /** Labels of each namespace, by name. */
  namespaces: ReadonlyMap<string, Labels>;
  endpoints: readonly Endpoint[];
}

/**
 * The peers of one rule.
 * @param peers as in `from` and `to`; none at all means anyone
 * @param namespace of the policy
 */
export function peersOf(
  peers: readonly V1NetworkPolicyPeer[] | undefined,
  namespace: string,
  world: World,
): Peer[] {
  if (peers === undefined || peers.length === 0) return [{ kind: "any" }];
  return peers.flatMap((peer): Peer[] => {
    if (peer.ipBlock === undefined)
      return [{ kind: "endpoints", endpoints: selected(peer, namespace, world) }];
    const { cidr, except = [] } = peer.ipBlock;
    // The lab has no IPv6 addresses, so a range of them lets nobody through.
    return cidr.includes(":") ? [] : [{ kind: "range", range: cidr, except }];
  });
}

function selected(peer: V1NetworkPolicyPeer, namespace: string, world: World): Endpoint[] {
  const { podSelector, namespaceSelector } = peer;
  return world.endpoints.filter(
    (endpoint) =>
      (namespaceSelector === undefined
        ? endpoint.namespace === namespace
        : selects(namespaceSelector, world.namespaces.get(endpoint.namespace) ?? {})) &&
      selects(podSelector ?? {}, endpoint.labels),
  );
}

/** Something that a policy can name by labels. */
export interface Endpoint {
  namespace: string;
  labels: Labels;
  address: string;
  /** Ports that a policy can name by name. */
  ports: readonly { name: string; protocol: string; port: number }[];
  /** The only ports that are this endpoint's, where others share its address. Default: all. */
  only?: readonly number[];
}

/**
 * The pods that have an address of their own; those in the node's network are beyond policies, as everywhere.
 * @param givenOut addresses that this node gave to pods, which the API server may not know yet
 */
export function endpointsOf(pods: readonly V1Pod[], givenOut: readonly GivenOut[] = []): Endpoint[] {
  return pods.flatMap(({ metadata, spec, status }) => {
    const own = givenOut.filter(({ uid }) => uid === metadata?.uid).map(({ address }) => address);
    const known = status?.podIP === undefined ? [] : [status.podIP];
    const ended = status?.phase === "Succeeded" || status?.phase === "Failed";
    if (ended || spec?.hostNetwork) return [];
    const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
    const ports = containers
      .flatMap((container) => container.ports ?? [])
      .map(({ name = "", protocol = "TCP", containerPort }) => ({ name, protocol, port: containerPort }));
    return [...new Set([...own, ...known])].map((address) => ({
      namespace: metadata?.namespace ?? "",
      labels: metadata?.labels ?? {},
      address,
      ports,
    }));
  });
}

/** Given-out addresses of pods that the API server does not have any more; their processes may live on for a moment. */
export function ownerless(givenOut: readonly GivenOut[], endpoints: readonly Endpoint[]): string[] {
  const owned = new Set(endpoints.map(({ address }) => address));
  return givenOut.map(({ address }) => address).filter((address) => !owned.has(address));
}

/**
 * The programs that are pods in an ordinary cluster and processes of the node in a lab. A policy that lets a pod
 * reach them by their usual labels works here too.
 */
export const standIns: readonly Endpoint[] = [
  {
    namespace: "kube-system",
    labels: { "k8s-app": "kube-dns" },
    address: addresses.controlPlane,
    ports: [
      { name: "dns", protocol: "UDP", port: 53 },
      { name: "dns-tcp", protocol: "TCP", port: 53 },
    ],
    only: [53],
  },
  {
    namespace: "istio-system",
    labels: { app: "istiod", istio: "pilot", "istio.io/rev": "default" },
    address: addresses.controlPlane,
    ports: [
      { name: "grpc-xds", protocol: "TCP", port: 15010 },
      { name: "tls-xds", protocol: "TCP", port: 15012 },
      { name: "https-webhooks", protocol: "TCP", port: 15017 },
      { name: "http-monitoring", protocol: "TCP", port: 15014 },
    ],
    only: [15010, 15012, 15014, 15017],
  },
];
