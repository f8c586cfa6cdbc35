import { selectorLabels } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import { networkPolicy, podsOf, tcp } from "../common/network-policy.ts";
import { accessorPort } from "../storage-proxy/accessors.ts";
import type { StorageProxyRefParsed } from "../storage-proxy/ref.ts";
import type { StoragePlan } from "./plan.ts";

/** Only the proxy reaches the accessor, and the accessor reaches nobody. */
export function accessorNetworkPolicy(
  plan: StoragePlan,
  proxy: StorageProxyRefParsed,
): Manifest<"NetworkPolicy"> {
  const fromProxy = podsOf(proxy.namespace, selectorLabels("storage-proxy", proxy.name));
  return networkPolicy(
    { name: plan.names.accessor, namespace: plan.namespace, labels: plan.labels },
    { pods: plan.selector, ingress: [{ from: [fromProxy], ports: tcp(accessorPort) }], egress: [] },
  );
}
