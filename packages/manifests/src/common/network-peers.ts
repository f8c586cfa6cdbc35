/** Peers of NetworkPolicies that the platform's own pods have in common. */
import { namespaceNameLabel } from "./labels.ts";
import { nodeLocalDns } from "./networks.ts";

export const podsOf = (namespace: string, matchLabels: Readonly<Record<string, string>>) => ({
  namespaceSelector: { matchLabels: { [namespaceNameLabel]: namespace } },
  podSelector: { matchLabels },
});

export const blocks = (networks: readonly string[]) => networks.map((cidr) => ({ ipBlock: { cidr } }));

/** @param further addresses of DNS servers besides kube-dns and the node-local cache */
export const dnsEgress = (further: readonly string[]) => ({
  to: [podsOf("kube-system", { "k8s-app": "kube-dns" }), ...blocks([nodeLocalDns, ...further])],
  ports: [
    { port: 53, protocol: "UDP" },
    { port: 53, protocol: "TCP" },
  ],
});
