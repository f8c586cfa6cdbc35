import { selectorLabels } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import { blocks, dnsEgress, podsOf } from "../common/network-peers.ts";
import { componentOf } from "./idle.ts";
import type { SshGatewayPlan } from "./plan.ts";

/**
 * What the gateway's pods may reach: pods of containers, istiod and DNS. So whatever a route comes to name, it is not
 * the API server, a node or anybody else's pod. Who may reach the gateway is its LoadBalancer's matter.
 */
export function gatewayNetworkPolicy(plan: SshGatewayPlan): Manifest {
  const { dns, istiod } = plan.egress;
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: {
      podSelector: { matchLabels: plan.selector },
      policyTypes: ["Egress"],
      egress: [
        { to: [{ namespaceSelector: {}, podSelector: { matchLabels: componentOf("dev-container") } }] },
        // It answers for containers that sleep.
        ...(plan.idle === undefined
          ? []
          : [{ to: [podsOf(plan.namespace, selectorLabels("activator", plan.name))] }]),
        { to: [podsOf("istio-system", { app: "istiod" })], ports: tcp(xdsPort) },
        // A control plane that somebody else runs may answer as any web server does.
        ...(istiod.length > 0 ? [{ to: blocks(istiod), ports: tcp(xdsPort, 443) }] : []),
        dnsEgress(dns),
      ],
    },
  };
}

const xdsPort = 15012;
const tcp = (...ports: readonly number[]) => ports.map((port) => ({ port, protocol: "TCP" }));
