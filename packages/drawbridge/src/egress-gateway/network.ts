import { egressPorts } from "../host/egress/contract.ts";
import { tcpPort } from "../kubernetes/load-balancer.ts";
import { type Manifest, metadataOf, skipAwait } from "../kubernetes/manifest.ts";
import {
  dnsEgress,
  internetBut,
  networkEgress,
  networkPolicy,
  podsIn,
  podsWithSshd,
  tcp,
} from "../kubernetes/network-policy.ts";
import type { EgressGatewayPlan } from "./plan.ts";

/**
 * Containers alone reach the gateway. It reaches the internet, DNS and the API server: whatever a name resolves to, and
 * whatever part is mistaken about it, nothing private is behind it.
 */
export function egressNetworkPolicy(plan: EgressGatewayPlan): Manifest<"NetworkPolicy"> {
  const { egress, metricsNamespaces } = plan;
  const metrics = { from: podsIn(metricsNamespaces), ports: tcp(egressPorts.authorizerMetrics) };
  return networkPolicy(metadataOf(plan.name, plan), {
    pods: plan.selector,
    ingress: [
      { from: podsWithSshd, ports: tcp(egressPorts.proxy) },
      ...(metricsNamespaces.length === 0 ? [] : [metrics]),
    ],
    egress: [{ to: internetBut(egress.deny) }, dnsEgress(egress.dns), ...networkEgress(egress.apiServer)],
  });
}

export function egressService(plan: EgressGatewayPlan): Manifest<"Service"> {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadataOf(plan.name, plan, { ...skipAwait }),
    spec: {
      type: "ClusterIP",
      selector: plan.selector,
      ports: [tcpPort("proxy", egressPorts.proxy), tcpPort("metrics", egressPorts.authorizerMetrics)],
    },
  };
}
