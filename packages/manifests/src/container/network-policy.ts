import { namespaceNameLabel, selectorLabels } from "../common/labels.ts";
import { compact, type Manifest } from "../common/manifest.ts";
import { nodeLocalDns, privateNetworks } from "../common/networks.ts";
import { frpcEgress } from "./frpc-egress.ts";
import type { DevContainerPlan } from "./plan.ts";

/** What may reach the container, and what it may reach: nothing that is not named here. */
export function containerNetworkPolicy(plan: DevContainerPlan): Manifest {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: plan.names.workload, namespace: plan.namespace, labels: plan.labels },
    spec: {
      podSelector: { matchLabels: plan.selector },
      policyTypes: ["Ingress", "Egress"],
      ingress: ingressRules(plan),
      egress: egressRules(plan),
    },
  };
}

/** The gateway's pods at the ports it forwards to, and the declared peers. */
function ingressRules({ access: { gateway }, gatewayPorts, ingress, idle, ssh }: DevContainerPlan) {
  const fromGateway =
    gateway === undefined || gatewayPorts.length === 0
      ? []
      : [
          {
            from: [
              podsIn(gateway.namespace, gateway.selector ?? selectorLabels("ssh-gateway", gateway.name)),
            ],
            ports: tcp(gatewayPorts.map(({ port }) => port)),
          },
        ];
  // It joins those who have woken the container.
  const fromActivator =
    idle === undefined || gateway === undefined
      ? []
      : [
          {
            from: [podsIn(idle.accounts.namespace, selectorLabels("activator", gateway.name))],
            ports: tcp([ssh.port]),
          },
        ];
  const declared = ingress.map(({ namespace, podLabels, ports }) => ({
    from: [podsIn(namespace, podLabels)],
    ports: tcp(ports),
  }));
  return [...fromGateway, ...fromActivator, ...declared];
}

/** DNS, the internet unless it is switched off, and what is declared. */
export function egressRules({ egress, frpc }: DevContainerPlan) {
  const dns = {
    to: [
      podsIn("kube-system", { "k8s-app": "kube-dns" }),
      ...[nodeLocalDns, ...egress.dns].map((cidr) => ({ ipBlock: { cidr } })),
    ],
    ports: [
      { port: 53, protocol: "UDP" },
      { port: 53, protocol: "TCP" },
    ],
  };
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
    compact({ to: [{ ipBlock: { cidr } }], ports: ports.length > 0 ? tcp(ports) : undefined }),
  );
  return [dns, ...(egress.internet ? [internet] : []), ...frpcEgress(frpc), ...declared];
}

function podsIn(namespace: string | undefined, podLabels: Readonly<Record<string, string>>) {
  return compact({
    namespaceSelector:
      namespace === undefined ? undefined : { matchLabels: { [namespaceNameLabel]: namespace } },
    podSelector: { matchLabels: podLabels },
  });
}

const tcp = (ports: readonly number[]) => ports.map((port) => ({ port, protocol: "TCP" }));
