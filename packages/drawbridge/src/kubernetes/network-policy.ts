/** What NetworkPolicies are made of. */

import { type Input, type InputList, joinedLists, whenKnown, whenListed } from "../kit/input.ts";
import type { ApiServerNetwork } from "./args.ts";
import type { EgressRule, IngressRule } from "./kinds.ts";
import { namespaceNameLabel, partLabel, sshdLabel, teamLabel } from "./labels.ts";
import { compact, ifAny, type Manifest, type Metadata } from "./manifest.ts";
import { nodeLocalDns, privateNetworks } from "./networks.ts";

type Labels = Readonly<Record<string, Input<string>>>;

interface Rules {
  readonly pods: Labels;
  /** Who may reach the pods; undefined leaves that to others. */
  readonly ingress?: IngressRule[];
  /** What the pods may reach; undefined leaves that to others. */
  readonly egress?: Input<EgressRule[]>;
}

export function networkPolicy(
  metadata: Metadata,
  { pods, ingress, egress }: Rules,
): Manifest<"NetworkPolicy"> {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata,
    spec: compact({
      podSelector: { matchLabels: pods },
      policyTypes: [
        ...(ingress === undefined ? [] : ["Ingress"]),
        ...(egress === undefined ? [] : ["Egress"]),
      ],
      ingress: ingress && ifAny(ingress),
      egress: egress === undefined ? undefined : whenKnown(egress, (rules) => ifAny(rules)),
    }),
  };
}

/** @param namespace undefined for the policy's own */
export const podsOf = (namespace: Input<string> | undefined, matchLabels: Input<Labels>) =>
  compact({
    namespaceSelector: namespace === undefined ? undefined : namespaceCalled(namespace),
    podSelector: { matchLabels },
  });

/** Pods with these labels in every namespace. */
export const everyPodOf = (matchLabels: Labels) => ({ namespaceSelector: {}, podSelector: { matchLabels } });

/** Every pod with an sshd of ours: containers, and others' pods that one was put into. */
export const podsWithSshd = [
  everyPodOf(partLabel("dev-container")),
  { namespaceSelector: {}, podSelector: { matchExpressions: [{ key: sshdLabel, operator: "Exists" }] } },
];

/** Every pod of every team's namespace. */
export const podsOfTeams = {
  namespaceSelector: { matchExpressions: [{ key: teamLabel, operator: "Exists" }] },
};

/** Every pod of these namespaces. */
export const podsIn = (namespaces: readonly Input<string>[]) =>
  namespaces.map((namespace) => ({ namespaceSelector: namespaceCalled(namespace) }));

const namespaceCalled = (name: Input<string>) => ({ matchLabels: { [namespaceNameLabel]: name } });

export const blocks = (networks: readonly Input<string>[]) => networks.map((cidr) => ({ ipBlock: { cidr } }));

/** The internet: what is no private network, and not denied. */
export const internetBut = (deny: InputList<string> = []) => {
  // Whether a network is IPv4 or IPv6 has to be known before it can stand in one of the two lists.
  const denied = (own: readonly string[], isIpv6: boolean) =>
    whenListed(deny, (all) => [...own, ...all.filter((cidr) => cidr.includes(":") === isIpv6)]);
  return [
    { ipBlock: { cidr: "0.0.0.0/0", except: denied(privateNetworks.ipv4, false) } },
    { ipBlock: { cidr: "::/0", except: denied(privateNetworks.ipv6, true) } },
  ];
};

export const tcp = (...ports: readonly Input<number>[]) => ports.map((port) => ({ port, protocol: "TCP" }));

/** @param further addresses of DNS servers besides kube-dns and the node-local cache */
export const dnsEgress = (further: InputList<string>): EgressRule => ({
  to: joinedLists<object>(
    [podsOf("kube-system", { "k8s-app": "kube-dns" }), ...blocks([nodeLocalDns])],
    whenKnown(further, blocks),
  ),
  ports: [{ port: 53, protocol: "UDP" }, ...tcp(53)],
});

export const networkEgress = (networks: readonly ApiServerNetwork[]) =>
  networks.map(({ cidr, ports }) => ({ to: blocks([cidr]), ports: whenKnown(ports, (all) => tcp(...all)) }));
