import type { Manifest } from "../common/manifest.ts";
import type { HostPlan, NamedPort } from "./plan.ts";

/**
 * Headless: the gateway dials the pod itself, and Pulumi's provider would wait 10 s for a ClusterIP. Headless
 * Services do not translate ports, so sshd listens on the same number.
 *
 * It names the pod also while that is not ready: the kubelet sees sshd up to two seconds after it listens, and a job
 * that takes all of the processor makes the probe late, just when its owner must get in to end it.
 */
export function hostService(
  plan: HostPlan & { readonly selector: Record<string, string> },
  further: readonly NamedPort[] = [],
): Manifest<"Service"> {
  const ports = [...(plan.hasSshd ? [{ name: "ssh", port: plan.ssh.port }] : []), ...further];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: plan.names.service, namespace: plan.namespace, labels: plan.labels },
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: plan.selector,
      // tcp-: to Istio these are bytes, whatever is spoken over them.
      ports: ports.map(({ name, port }) => ({
        name: `tcp-${name}`,
        port,
        targetPort: port,
        protocol: "TCP",
      })),
    },
  };
}
