/** The objects that every host may have: its Service, the NetworkPolicy of its sshd, the right to enter its pod. */

import { type Input, whenKnown } from "../kit/input.ts";
import type { IngressRule } from "../kubernetes/kinds.ts";
import { tcpPort } from "../kubernetes/load-balancer.ts";
import { type Manifest, metadataOf } from "../kubernetes/manifest.ts";
import { dnsEgress, networkPolicy, podsOf, tcp } from "../kubernetes/network-policy.ts";
import { frpcEgress } from "./frpc/part.ts";
import type { HostPlan, NamedPort } from "./plan.ts";
import type { SshNetworkPolicy } from "./ways/access.ts";
import { gatewaySelector } from "./ways/gateway.ts";
import { sshpodRole, sshpodRoleBinding } from "./ways/sshpod-role.ts";

/**
 * Headless: the gateway dials the pod itself, and Pulumi's provider would wait 10 s for a ClusterIP. Headless
 * Services do not translate ports, so sshd listens on the same number.
 *
 * It names the pod also while that is not ready: the kubelet sees sshd up to two seconds after it listens, and a job
 * that takes all of the processor makes the probe late, just when its owner must get in to end it.
 */
export function hostService(
  plan: HostPlan & { readonly selector: Record<string, string> },
  further: readonly NamedPort[] = [],
): Manifest<"Service"> {
  const ports = [...(plan.hasSshd ? [{ name: "ssh", port: plan.ssh.port }] : []), ...further];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadataOf(plan.names.service, plan),
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: plan.selector,
      ports: ports.map(({ name, port }) => tcpPort(name, port)),
    },
  };
}

/** The ports of every protocol but for one. */
const portsBut = (port: number) => [
  ...(port > 1 ? [{ protocol: "TCP", port: 1, endPort: port - 1 }] : []),
  ...(port < 65_535 ? [{ protocol: "TCP", port: port + 1, endPort: 65_535 }] : []),
  ...["UDP", "SCTP"].map((protocol) => ({ protocol, port: 1, endPort: 65_535 })),
];

/**
 * The NetworkPolicy of pods that someone else makes: it is about the port of their sshd alone.
 * @param pods labels of the pods
 * @param port the pods' own, to which a Service may lead from another
 * @param frpc labels of a frpc's own pod; without one it is in the pods themselves
 */
export function sshIngressPolicy(
  plan: HostPlan,
  kind: SshNetworkPolicy,
  pods: Readonly<Record<string, Input<string>>>,
  port: Input<number> = plan.ssh.port,
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
  const others: IngressRule[] = kind === "only-gateway" ? [{ ports: whenKnown(port, portsBut) }] : [];
  // Where all is denied that no policy allows, a frpc in the pods reaches its server by this one.
  const isInside = kind === "allow-gateway" && plan.frpc !== undefined && frpc === undefined;
  return networkPolicy(metadataOf(plan.names.route, plan), {
    pods,
    ingress: [...fromWays, ...others],
    ...(isInside && { egress: [dnsEgress([]), ...frpcEgress(plan.frpc)] }),
  });
}

/** The right to enter a host's pod over the Kubernetes API, and nothing else of the namespace. */
export function hostSshpodAccess(plan: HostPlan) {
  const subjects = plan.access.sshpod;
  if (subjects === undefined || plan.podName === undefined) return undefined;
  const named = { name: plan.names.sshpod, namespace: plan.namespace, labels: plan.labels };
  return {
    // The stable name of the pod is what makes a right for it alone possible.
    role: sshpodRole({ ...named, pods: [plan.podName], exec: !plan.hasSshd }),
    binding: sshpodRoleBinding(named, subjects),
  };
}
