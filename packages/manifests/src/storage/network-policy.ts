import { namespaceNameLabel, selectorLabels } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import { accessorPort } from "../storage-proxy/accessors.ts";
import type { StorageProxyRefParsed } from "../storage-proxy/ref.ts";
import type { StoragePlan } from "./plan.ts";

/** Only the proxy reaches the accessor, and the accessor reaches nobody. */
export function accessorNetworkPolicy(plan: StoragePlan, proxy: StorageProxyRefParsed): Manifest {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: plan.names.accessor, namespace: plan.namespace, labels: plan.labels },
    spec: {
      podSelector: { matchLabels: plan.selector },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [
            {
              namespaceSelector: { matchLabels: { [namespaceNameLabel]: proxy.namespace } },
              podSelector: { matchLabels: selectorLabels("storage-proxy", proxy.name) },
            },
          ],
          ports: [{ port: accessorPort, protocol: "TCP" }],
        },
      ],
      egress: [],
    },
  };
}
