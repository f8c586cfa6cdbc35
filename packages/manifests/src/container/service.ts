import type { Manifest } from "../common/manifest.ts";
import type { DevContainerPlan } from "./plan.ts";

/**
 * Headless: the gateway dials the pod itself, and Pulumi's provider would wait 10 s for a ClusterIP. Headless
 * Services do not translate ports, so sshd listens on the same number.
 */
export function containerService(plan: DevContainerPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: plan.names.workload, namespace: plan.namespace, labels: plan.labels },
    spec: {
      clusterIP: "None",
      selector: plan.selector,
      ports: [{ name: "tcp-ssh", port: plan.sshd.port, targetPort: plan.sshd.port, protocol: "TCP" }],
    },
  };
}
