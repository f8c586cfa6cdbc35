import type * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

/** The state of a container as its StatefulSet reports it. */
export interface DevContainerStatus {
  /** `Pending`: nothing reported yet. `Starting`: a pod that is not ready. `Ready`: sshd listens. */
  phase: string;
  /** Pods with the newest specification. */
  updatedPods: number;
  /** Pods that are ready: with sshd, those in which it listens. */
  readyPods: number;
}

export function workloadStatus(workload: k8s.apps.v1.StatefulSet): pulumi.Output<DevContainerStatus> {
  return workload.status.apply((status) => {
    const updatedPods = status?.updatedReplicas ?? 0;
    const readyPods = status?.readyReplicas ?? 0;
    const phase = readyPods > 0 ? "Ready" : status === undefined ? "Pending" : "Starting";
    return { phase, updatedPods, readyPods };
  });
}
