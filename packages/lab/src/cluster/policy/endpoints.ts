import type { V1Pod } from "@kubernetes/client-node";
import { addresses } from "../addresses.ts";
import type { Labels } from "./select.ts";

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

/** The pods that have an address of their own; those in the node's network are beyond policies, as everywhere. */
export function endpointsOf(pods: readonly V1Pod[]): Endpoint[] {
  return pods.flatMap(({ metadata, spec, status }) => {
    const address = status?.podIP;
    const ended = status?.phase === "Succeeded" || status?.phase === "Failed";
    if (address === undefined || ended || spec?.hostNetwork) return [];
    const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
    const ports = containers
      .flatMap((container) => container.ports ?? [])
      .map(({ name = "", protocol = "TCP", containerPort }) => ({ name, protocol, port: containerPort }));
    return [{ namespace: metadata?.namespace ?? "", labels: metadata?.labels ?? {}, address, ports }];
  });
}

/**
 * The programs that are pods in an ordinary cluster and processes of the node in a lab. A policy that lets a pod
 * reach them by their usual labels works here too.
 */
export const standIns: readonly Endpoint[] = [
  {
    namespace: "kube-system",
    labels: { "k8s-app": "kube-dns" },
    address: addresses.node,
    ports: [
      { name: "dns", protocol: "UDP", port: 53 },
      { name: "dns-tcp", protocol: "TCP", port: 53 },
    ],
    only: [53],
  },
  {
    namespace: "istio-system",
    labels: { app: "istiod", istio: "pilot", "istio.io/rev": "default" },
    address: addresses.node,
    ports: [
      { name: "grpc-xds", protocol: "TCP", port: 15010 },
      { name: "tls-xds", protocol: "TCP", port: 15012 },
      { name: "https-webhooks", protocol: "TCP", port: 15017 },
      { name: "http-monitoring", protocol: "TCP", port: 15014 },
    ],
    only: [15010, 15012, 15014, 15017],
  },
];
