/** How a file server is reached: its Service, and who may reach its pods. */
import { selectorLabels } from "../kubernetes/labels.ts";
import { type Manifest, metadataOf, skipAwait } from "../kubernetes/manifest.ts";
import { networkPolicy, podsOf, tcp } from "../kubernetes/network-policy.ts";
import { fileServerPort, type StorageProxyRefParsed } from "../storage-proxy/ref.ts";
import type { StoragePlan } from "./plan.ts";

/**
 * Where the proxy finds the storage. It has an address of its own, so that its name is known while no pod is
 * ready: the proxy then says "not ready" instead of "unknown".
 */
export function fileServerService(plan: StoragePlan): Manifest<"Service"> {
  return {
    apiVersion: "v1",
    kind: "Service",
    // The provider would wait at least 10 s for an address with pods behind it.
    metadata: metadataOf(plan.names.fileServer, plan, { ...skipAwait }),
    spec: {
      type: "ClusterIP",
      selector: plan.selector,
      ports: [
        {
          name: "http",
          port: fileServerPort,
          targetPort: fileServerPort,
          protocol: "TCP",
          appProtocol: "http",
        },
      ],
    },
  };
}

/** Only the proxy reaches the file server, and the file server reaches nobody. */
export function fileServerNetworkPolicy(
  plan: StoragePlan,
  proxy: StorageProxyRefParsed,
): Manifest<"NetworkPolicy"> {
  const fromProxy = podsOf(proxy.namespace, selectorLabels("storage-proxy", proxy.name));
  const ingress = [{ from: [fromProxy], ports: tcp(fileServerPort) }];
  return networkPolicy(metadataOf(plan.names.fileServer, plan), { pods: plan.selector, ingress, egress: [] });
}
