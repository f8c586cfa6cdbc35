import { tcpPort } from "../common/load-balancer.ts";
import { type Manifest, metadataOf } from "../common/manifest.ts";
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
    metadata: metadataOf(plan.names.service, plan),
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: plan.selector,
      ports: ports.map(({ name, port }) => tcpPort(name, port)),
    },
  };
}
