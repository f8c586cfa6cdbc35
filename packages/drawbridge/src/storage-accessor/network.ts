/** How an accessor is reached: its Service, and who may reach its pods. */
import { selectorLabels } from "../kubernetes/labels.ts";
import { type Manifest, metadataOf, skipAwait } from "../kubernetes/manifest.ts";
import { networkPolicy, podsOf, tcp } from "../kubernetes/network-policy.ts";
import { accessorPort, type StorageProxyRefParsed } from "../storage-proxy/ref.ts";
import type { StoragePlan } from "./plan.ts";

/**
 * Where the proxy finds the storage. It has an address of its own, so that its name is known while no pod is
 * ready: the proxy then says "not ready" instead of "unknown".
 */
export function accessorService(plan: StoragePlan): Manifest<"Service"> {
  return {
    apiVersion: "v1",
    kind: "Service",
    // The provider would wait at least 10 s for an address with pods behind it.
    metadata: metadataOf(plan.names.accessor, plan, { ...skipAwait }),
    spec: {
      type: "ClusterIP",
      selector: plan.selector,
      ports: [
        { name: "http", port: accessorPort, targetPort: accessorPort, protocol: "TCP", appProtocol: "http" },
      ],
    },
  };
}

/** Only the proxy reaches the accessor, and the accessor reaches nobody. */
export function accessorNetworkPolicy(
  plan: StoragePlan,
  proxy: StorageProxyRefParsed,
): Manifest<"NetworkPolicy"> {
  const fromProxy = podsOf(proxy.namespace, selectorLabels("storage-proxy", proxy.name));
  const ingress = [{ from: [fromProxy], ports: tcp(accessorPort) }];
  return networkPolicy(metadataOf(plan.names.accessor, plan), { pods: plan.selector, ingress, egress: [] });
}
