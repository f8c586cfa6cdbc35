import { namespaceNameLabel, selectorLabels } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import type { DevContainerPlan } from "./plan.ts";

/** Only the gateway's pods reach sshd. */
export function containerNetworkPolicy(plan: DevContainerPlan): Manifest {
  const { gateway } = plan;
  const peers =
    gateway === undefined
      ? []
      : [
          {
            namespaceSelector: { matchLabels: { [namespaceNameLabel]: gateway.namespace } },
            podSelector: { matchLabels: selectorLabels("ssh-gateway", gateway.name) },
          },
        ];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: plan.names.workload, namespace: plan.namespace, labels: plan.labels },
    spec: {
      podSelector: { matchLabels: plan.selector },
      policyTypes: ["Ingress"],
      ingress:
        peers.length === 0 ? [] : [{ from: peers, ports: [{ port: plan.sshd.port, protocol: "TCP" }] }],
    },
  };
}
