import { namespaceNameLabel } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import { accessorPods, accessorPort } from "../storage/names.ts";
import type { StorageProxyPlan } from "./plan.ts";

// NodeLocal DNSCache listens at this address of each node.
const nodeLocalDns = "169.254.20.10/32";

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
        {
          to: [podsOf("kube-system", { "k8s-app": "kube-dns" }), ...blocks([nodeLocalDns, ...dns])],
          ports: [
            { port: 53, protocol: "UDP" },
            { port: 53, protocol: "TCP" },
          ],
        },
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

const podsOf = (namespace: string, matchLabels: Readonly<Record<string, string>>) => ({
  namespaceSelector: { matchLabels: { [namespaceNameLabel]: namespace } },
  podSelector: { matchLabels },
});

const blocks = (networks: readonly string[]) => networks.map((cidr) => ({ ipBlock: { cidr } }));
