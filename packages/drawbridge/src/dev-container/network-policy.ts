import { toEgressGateway } from "../host/egress/gateway.ts";
import { frpcEgress } from "../host/frpc/part.ts";
import { gatewaySelector } from "../host/ways/gateway.ts";
import type { EgressRule } from "../kubernetes/kinds.ts";
import { selectorLabels } from "../kubernetes/labels.ts";
import { compact, type Manifest, metadataOf } from "../kubernetes/manifest.ts";
import { blocks, dnsEgress, internetBut, networkPolicy, podsOf, tcp } from "../kubernetes/network-policy.ts";
import type { DevContainerPlan } from "./plan.ts";

/** What may reach the container, and what it may reach: nothing that is not named here. */
export function containerNetworkPolicy(plan: DevContainerPlan): Manifest<"NetworkPolicy"> {
  const rules = { pods: plan.selector, ingress: ingressRules(plan), egress: egressRules(plan) };
  return networkPolicy(metadataOf(plan.names.workload, plan), rules);
}

/** The gateway's pods at the ports it forwards to, and the declared peers. */
function ingressRules({ access: { gateway }, gatewayPorts, ingress, idle, ssh }: DevContainerPlan) {
  const declared = ingress.map(({ namespace, podLabels, ports }) => ({
    from: [podsOf(namespace, podLabels)],
    ports: tcp(...ports),
  }));
  if (gateway === undefined) return declared;
  const { name, namespace } = gateway;
  const fromGateway = {
    from: [podsOf(namespace, gatewaySelector(gateway))],
    ports: tcp(...gatewayPorts.map(({ port }) => port)),
  };
  // The activator connects the client that has woken the container.
  const fromActivator = idle && {
    from: [podsOf(idle.accounts.namespace, selectorLabels("activator", name))],
    ports: tcp(ssh.port),
  };
  return [
    ...(gatewayPorts.length === 0 ? [] : [fromGateway]),
    ...(fromActivator === undefined ? [] : [fromActivator]),
    ...declared,
  ];
}

/** DNS, the internet unless it is switched off or reached by name, and what is declared. */
export function egressRules({ egress, byName, frpc }: DevContainerPlan): EgressRule[] {
  const internet = { to: internetBut(egress.deny) };
  const declared = egress.allow.map(({ cidr, ports }) =>
    compact({ to: blocks([cidr]), ports: ports.length > 0 ? tcp(...ports) : undefined }),
  );
  const outside =
    byName === undefined ? (egress.internet ? [internet] : []) : [toEgressGateway(byName.gateway)];
  return [dnsEgress(egress.dns), ...outside, ...frpcEgress(frpc), ...declared];
}
