import type { Manifest } from "../common/manifest.ts";
import { blocks, dnsEgress, podsOf } from "../common/network-peers.ts";
import { accessorPods, accessorPort } from "./accessors.ts";
import type { StorageProxyPlan } from "./plan.ts";

/**
 * What the proxy's pods may reach: pods of accessors, DNS, and istiod where it manages them. So whatever a Service or a
 * slice behind a storage's name says, it is not the API server, a node or anybody else's pod.
 */
export function proxyNetworkPolicy(plan: StorageProxyPlan): Manifest {
  const { dns, istiod } = plan.egress;
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: {
      podSelector: { matchLabels: plan.selector },
      policyTypes: ["Egress"],
      egress: [
        {
          to: [{ namespaceSelector: {}, podSelector: { matchLabels: accessorPods } }],
          ports: [{ port: accessorPort, protocol: "TCP" }],
        },
        dnsEgress(dns),
        ...(plan.mode === "istio"
          ? [
              {
                to: [podsOf("istio-system", { app: "istiod" }), ...blocks(istiod)],
                ports: [{ port: 15012, protocol: "TCP" }],
              },
            ]
          : []),
      ],
    },
  };
}
