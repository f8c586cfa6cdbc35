import { layer4LoadBalancer } from "../kubernetes/load-balancer.ts";
import { type Manifest, metadataOf } from "../kubernetes/manifest.ts";
import { dnsEgress, everyPodOf, networkPolicy, tcp } from "../kubernetes/network-policy.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { fileServerPods, fileServerPort } from "./ref.ts";

/** The one address of all storages, apart from the SSH gateway's so that neither disturbs the other. */
export function proxyLoadBalancer(plan: StorageProxyPlan): Manifest<"Service"> {
  return layer4LoadBalancer({
    ...plan,
    ports: [{ name: plan.scheme, port: plan.port, targetPort: plan.port, protocol: "TCP" }],
  });
}

/**
 * What the proxy's pods may reach: pods of file servers, and DNS. So whatever a
 * Service or an EndpointSlice behind a storage's name says, the proxy reaches no API server, node or foreign pod.
 */
export function proxyNetworkPolicy(plan: StorageProxyPlan): Manifest<"NetworkPolicy"> {
  const { selector, egress } = plan;
  return networkPolicy(metadataOf(plan.name, plan), {
    pods: selector,
    egress: [{ to: [everyPodOf(fileServerPods)], ports: tcp(fileServerPort) }, dnsEgress(egress.dns)],
  });
}
