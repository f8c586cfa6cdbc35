/** Whether a container's way out by name is there, and what it was refused lately. */
import { type Container, denialsAt, isReady, podsOf, serverOf } from "../egress/denials.ts";
import { Step } from "../faults.ts";
import type { Kube } from "../sshpod/kube.ts";
import type { Finding } from "./finding.ts";

/** What is looked back at. */
const recentMs = 60 * 60_000;

const fault = (text: string): Finding => ({ step: Step.egress, ok: false, text });

/** The faults; none where all is well, where the container names no hosts, and as far as the cluster does not tell. */
export async function egressFaults(
  container: Container,
  loadKube: () => Promise<Kube>,
  now = Date.now(),
): Promise<Finding[]> {
  try {
    const kube = await loadKube();
    const gateway = await serverOf(kube, container, "egress-gateway");
    if (gateway === undefined) return [];
    const pods = await podsOf(kube, gateway);
    if (!pods.some(isReady)) {
      const { name, namespace } = gateway;
      return [
        fault(
          `the egress gateway ${name} in namespace ${namespace} has no pod that is ready, so no host of the internet is reached; tell your platform team`,
        ),
      ];
    }
    const denials = await denialsAt(kube, gateway, pods, container);
    return denials
      .filter(({ time }) => now - Date.parse(time) < recentMs)
      .map(({ reason, times }) => fault(times === 1 ? reason : `${reason} (${times} times)`));
  } catch {
    // Most people may look neither at grants nor into the gateway's namespace.
    return [];
  }
}
