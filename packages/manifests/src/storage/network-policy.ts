import { selectorLabels } from "../common/labels.ts";
import { type Manifest, metadataOf } from "../common/manifest.ts";
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
  const ingress = [{ from: [fromProxy], ports: tcp(accessorPort) }];
  return networkPolicy(metadataOf(plan.names.accessor, plan), { pods: plan.selector, ingress, egress: [] });
}
