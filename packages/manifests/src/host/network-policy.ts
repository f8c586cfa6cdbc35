/** The NetworkPolicy of pods that somebody else makes: it is about the port of their sshd alone. */

import type { IngressRule } from "../common/kinds.ts";
import { type Manifest, metadataOf } from "../common/manifest.ts";
import { dnsEgress, networkPolicy, podsOf, tcp } from "../common/network-policy.ts";
import type { Placed } from "../common/placed.ts";
import { frpcEgress } from "../frpc/egress.ts";
import { gatewaySelector } from "../gateway/ref.ts";
import type { HostPlan } from "./plan.ts";

/** Whether a NetworkPolicy is made for the port of a sshd, and of which kind. */
export const SshNetworkPolicy = {
  /** None: who may reach the pods stays as it is. */
  none: "none",
  /** The gateway may reach the port; for namespaces in which everything else is denied already. */
  allowGateway: "allow-gateway",
  /** Nobody but the gateway may reach the port, and every other port stays as open as it is without a policy. */
  onlyGateway: "only-gateway",
} as const;
export type SshNetworkPolicy = (typeof SshNetworkPolicy)[keyof typeof SshNetworkPolicy];

/** The ports of a protocol but for one. */
const portsBut = (port: number) => [
  ...(port > 1 ? [{ protocol: "TCP", port: 1, endPort: port - 1 }] : []),
  ...(port < 65_535 ? [{ protocol: "TCP", port: port + 1, endPort: 65_535 }] : []),
  ...["UDP", "SCTP"].map((protocol) => ({ protocol, port: 1, endPort: 65_535 })),
];

/**
 * @param pods labels of the pods
 * @param port the pods' own, to which a Service may lead from another
 * @param frpc labels of a frpc's own pod; without one it is in the pods themselves
 */
export function sshIngressPolicy(
  plan: HostPlan,
  kind: SshNetworkPolicy,
  pods: Readonly<Record<string, Placed<string>>>,
  port: number = plan.ssh.port,
  frpc?: Readonly<Record<string, string>>,
): Manifest<"NetworkPolicy"> | undefined {
  if (kind === "none") return undefined;
  const { gateway } = plan.access;
  const ways = [
    ...(gateway === undefined ? [] : [podsOf(gateway.namespace, gatewaySelector(gateway))]),
    ...(frpc === undefined ? [] : [podsOf(undefined, frpc)]),
  ];
  const fromWays: IngressRule[] = ways.length === 0 ? [] : [{ from: ways, ports: tcp(port) }];
  // A rule without `from` is for everybody, in the cluster and outside.
  const others: IngressRule[] = kind === "only-gateway" ? [{ ports: portsBut(port) }] : [];
  // Where all is denied that no policy allows, a frpc in the pods reaches its server by this one.
  const isInside = kind === "allow-gateway" && plan.frpc !== undefined && frpc === undefined;
  return networkPolicy(metadataOf(plan.names.route, plan), {
    pods,
    ingress: [...fromWays, ...others],
    ...(isInside && { egress: [dnsEgress([]), ...frpcEgress(plan.frpc)] }),
  });
}
