/** How a container's pod is, as the Kubernetes API tells those who may ask. */
import {
  type ContainerStatus,
  containerStatus,
  type PodReport,
  type SshTarget,
} from "@drawbridge-iac/manifests";
import { type Kube, KubeError } from "../sshpod/kube.ts";

/**
 * Undefined where there is no telling (no kubeconfig, no right, or another cluster), but for what its stack says.
 * @param loadKube called only for a container that can be asked for
 */
export async function podState(
  target: SshTarget,
  loadKube: () => Promise<Kube>,
): Promise<ContainerStatus | undefined> {
  const running = target.running !== false;
  // That its stack has switched it off is known without asking anybody.
  const untold = running ? undefined : containerStatus(undefined, false);
  const way = target.ways.find((each) => each.way === "sshpod");
  if (way === undefined) return untold;
  try {
    const kube = await loadKube();
    const pod = await kube.get<PodReport>(`/api/v1/namespaces/${way.namespace}/pods/${way.pod}`);
    return containerStatus(pod, running);
  } catch (error) {
    // Whoever may not look, or looks into another cluster, still wants to see the ways in.
    return error instanceof KubeError && error.status === 404
      ? containerStatus(undefined, running, target.sleeps)
      : untold;
  }
}

/** `Ready`, or the phase with the reason of the first condition that does not hold. */
export function podText(status: ContainerStatus | undefined): string {
  if (status === undefined) return "-";
  const missing = status.conditions.find((condition) => !condition.status);
  return missing === undefined || status.phase === "Ready" || status.phase === missing.reason
    ? status.phase
    : `${status.phase}: ${missing.reason}`;
}
