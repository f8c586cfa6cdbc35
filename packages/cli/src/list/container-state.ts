/** How a container is, as the Kubernetes API tells those who may ask: its pod, and its sleep. */
import {
  type EventReport,
  eventsPath,
  type PodReport,
} from "@drawbridge-iac/drawbridge/src/dev-container/phase";
import {
  containerStatus,
  type DevContainerStatus,
  podReading,
  type WorkloadReport,
} from "@drawbridge-iac/drawbridge/src/dev-container/status";
import type { SshTarget } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import type { HostCondition } from "@drawbridge-iac/drawbridge/src/host/status";
import type { StorageStatus } from "@drawbridge-iac/drawbridge/src/storage-accessor/status";
import { type Kube, KubeError } from "../sshpod/kube.ts";

/**
 * Undefined if the API does not tell (no kubeconfig, no right, or another cluster) and the stack has not switched the
 * container off.
 * @param loadKube called only for a container that can be asked for
 */
export async function podState(
  target: Pick<SshTarget, "running" | "sleeps" | "ways">,
  loadKube: () => Promise<Kube>,
): Promise<DevContainerStatus | undefined> {
  const { running, sleeps = false, ways } = target;
  const statusOf = (pod?: PodReport, workload?: WorkloadReport, events?: readonly EventReport[]) => {
    const reading = podReading(pod, workload, events);
    // What the laptop has noted may be older than what runs.
    const declared = { running: running !== false || reading.wanted, sleeps };
    const hasFrpc = ways.some(({ way }) => way === "frp");
    return containerStatus(reading, { ...declared, hasSshd: true, hasFrpc });
  };
  const withoutAsking = running === false ? statusOf() : undefined;
  const way = ways.find((each) => each.way === "sshpod");
  if (way === undefined) return withoutAsking;
  try {
    const kube = await loadKube();
    const { namespace } = way;
    const name = way.pod.replace(/-0$/, "");
    const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets/${name}`;
    const [pod, workload] = await Promise.all([
      kube.get<PodReport>(`/api/v1/namespaces/${namespace}/pods/${way.pod}`).catch(noneThere),
      // An account may have the right to read this pod alone.
      kube.get<WorkloadReport>(path).catch(() => undefined),
    ]);
    if (pod !== undefined) return statusOf(pod, workload);
    const events = kube.get<{ items: EventReport[] }>(eventsPath(namespace, name));
    return statusOf(pod, workload, await events.then(({ items }) => items).catch(() => []));
  } catch {
    // A user who may not look, or looks into another cluster, still wants to see the ways in.
    return withoutAsking;
  }
}

function noneThere(error: unknown): undefined {
  if (error instanceof KubeError && error.status === 404) return undefined;
  throw error;
}

/** The state of a container or a storage. */
type Status = DevContainerStatus | StorageStatus;

/** The phase, and of one that should be ready and is not the reason. */
export function phaseText(status: Status | undefined): string {
  if (status === undefined) return "-";
  const reason = whyNot(status)?.reason;
  return reason === undefined ? status.phase : `${status.phase}: ${reason}`;
}

const unready: readonly string[] = ["Starting", "Failing", "Preparing", "Failed"];

/** Why one that should be ready is not, with the cure. */
export function whyNot(
  status: Status | undefined,
): HostCondition | StorageStatus["conditions"][number] | undefined {
  if (status === undefined || !unready.includes(status.phase)) return undefined;
  return [...status.conditions].find((condition) => !condition.status);
}

/** What the culler last said of a container, in the one Event that it keeps up to date. */
interface IdleState {
  /** `Off`, `Asleep`, `Awake` or `WouldSleep`. */
  readonly state: string;
  readonly since: string;
  /** Why, and when it would sleep. */
  readonly text: string;
}

interface Event {
  readonly reason?: string;
  readonly message?: string;
  readonly firstTimestamp?: string;
}

/** Undefined for a container that never sleeps, and where the Event cannot be read. */
export async function idleState(
  target: SshTarget,
  loadKube: () => Promise<Kube>,
): Promise<IdleState | undefined> {
  if (!target.sleeps) return undefined;
  const { namespace, name } = target;
  try {
    const kube = await loadKube();
    const path = `/api/v1/namespaces/${namespace}/events/${name}.drawbridge-culler`;
    const { reason = "", message = "", firstTimestamp = "" } = await kube.get<Event>(path);
    return { state: reason, since: firstTimestamp, text: message };
  } catch {
    // Without the right to read Events, the rest of the list is still of use.
    return undefined;
  }
}
