import { selectorLabels } from "../common/labels.ts";
import { compact, type Manifest } from "../common/manifest.ts";
import { blocks, dnsEgress, networkPolicy, podsOf, tcp } from "../common/network-policy.ts";
import { privateNetworks } from "../common/networks.ts";
import { type Placed, whenListed } from "../common/placed.ts";
import { gatewaySelector } from "../gateway/ref.ts";
import { frpcEgress } from "./frpc-egress.ts";
import type { DevContainerPlan } from "./plan.ts";

/** What may reach the container, and what it may reach: nothing that is not named here. */
export function containerNetworkPolicy(plan: DevContainerPlan): Manifest<"NetworkPolicy"> {
  return networkPolicy(
    { name: plan.names.workload, namespace: plan.namespace, labels: plan.labels },
    { pods: plan.selector, ingress: ingressRules(plan), egress: egressRules(plan) },
  );
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
  // It joins those who have woken the container.
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

/** DNS, the internet unless it is switched off, and what is declared. */
export function egressRules({ egress, frpc }: DevContainerPlan): Placed<object[]> {
  return whenListed(egress.deny, (deny) =>
    whenListed(egress.dns, (dns) => rulesOf({ ...egress, deny, dns }, frpc)),
  ) as Placed<object[]>;
}

interface KnownEgress extends Omit<DevContainerPlan["egress"], "deny" | "dns"> {
  readonly deny: readonly string[];
  readonly dns: readonly string[];
}

function rulesOf(egress: KnownEgress, frpc: DevContainerPlan["frpc"]): object[] {
  const denied = (own: readonly string[], sixth: boolean) => [
    ...own,
    ...egress.deny.filter((cidr) => cidr.includes(":") === sixth),
  ];
  const internet = {
    to: [
      { ipBlock: { cidr: "0.0.0.0/0", except: denied(privateNetworks.ipv4, false) } },
      { ipBlock: { cidr: "::/0", except: denied(privateNetworks.ipv6, true) } },
    ],
  };
  const declared = egress.allow.map(({ cidr, ports }) =>
    compact({ to: blocks([cidr]), ports: ports.length > 0 ? tcp(...ports) : undefined }),
  );
  return [dnsEgress(egress.dns), ...(egress.internet ? [internet] : []), ...frpcEgress(frpc), ...declared];
}
