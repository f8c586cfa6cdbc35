/** Where a container stands, as its StatefulSet tells of the one pod. */

/** The parts of a StatefulSet that are looked at. */
export interface WorkloadReport {
  /** Counts the changes of its specification. */
  readonly generation?: number;
  readonly status?: {
    /** The newest specification that its controller has seen. */
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
  };
}

export interface WorkloadState {
  readonly phase: "Off" | "Asleep" | "Pending" | "Starting" | "Ready";
  /** Pods with the newest specification. */
  readonly updatedPods: number;
  /** Pods with the newest specification that are ready: of one that is about to be replaced there is nothing to hope. */
  readonly readyPods: number;
}

/**
 * @param running what the stack says
 * @param sleeps whether it sleeps when nobody uses it
 */
export function workloadState(
  { generation = 0, status }: WorkloadReport,
  running: boolean,
  sleeps: boolean,
): WorkloadState {
  const { observedGeneration = 0, replicas, updatedReplicas = 0, readyReplicas = 0 } = status ?? {};
  const seen = observedGeneration >= generation;
  const updatedPods = seen ? updatedReplicas : 0;
  const readyPods = Math.min(updatedPods, readyReplicas);
  if (!running) return { phase: "Off", updatedPods, readyPods };
  if (sleeps && replicas === 0) return { phase: "Asleep", updatedPods, readyPods };
  if (readyPods > 0) return { phase: "Ready", updatedPods, readyPods };
  return { phase: status === undefined ? "Pending" : "Starting", updatedPods, readyPods };
}
