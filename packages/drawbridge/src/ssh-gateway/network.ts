import { istiodPods, xdsPort } from "../istio/proxy.ts";
import { whenKnown } from "../kit/input.ts";
import { selectorLabels } from "../kubernetes/labels.ts";
import { type LoadBalancerParsed, layer4LoadBalancer, tcpPort } from "../kubernetes/load-balancer.ts";
import { type Manifest, metadataOf } from "../kubernetes/manifest.ts";
import {
  blocks,
  dnsEgress,
  networkEgress,
  networkPolicy,
  podsOf,
  podsOfTeams,
  podsWithSshd,
  tcp,
} from "../kubernetes/network-policy.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The gateway's own LoadBalancer: layer 4, for SSH alone, so bulk copies disturb no other traffic. */
export function gatewayLoadBalancer(
  plan: SshGatewayPlan,
  loadBalancer: LoadBalancerParsed,
): Manifest<"Service"> {
  return layer4LoadBalancer({
    ...plan,
    loadBalancer,
    ports: plan.listeners.map(({ name, port }) => tcpPort(name, port)),
  });
}

/**
 * What the gateway's pods may reach: pods with an sshd of ours, those of teams and hosts outside if the platform says so,
 * istiod and DNS. So whatever a route comes to name, the gateway reaches no API server, node or foreign pod. Who may
 * reach the gateway is its LoadBalancer's matter.
 */
export function gatewayNetworkPolicy(plan: SshGatewayPlan): Manifest<"NetworkPolicy"> {
  const { name, namespace, selector, egress, idle } = plan;
  // It answers for containers that sleep.
  const activator =
    idle === undefined ? [] : [{ to: [podsOf(namespace, selectorLabels("activator", name))] }];
  return networkPolicy(metadataOf(name, plan), {
    pods: selector,
    // Made when the list is known: a rule that turns out to be for no network would be for all.
    egress: whenKnown(egress.istiod, (networks) => [
      { to: whenKnown(egress.teamPods, (all) => [...podsWithSshd, ...(all ? [podsOfTeams] : [])]) },
      ...networkEgress(egress.outsideHosts),
      ...activator,
      { to: [istiodPods], ports: tcp(xdsPort) },
      // A control plane that someone else runs may answer as any web server does.
      ...(networks.length === 0 ? [] : [{ to: blocks(networks), ports: tcp(xdsPort, 443) }]),
      dnsEgress(egress.dns),
    ]),
  });
}
