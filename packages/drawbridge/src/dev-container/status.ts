/**
 * The state of a container. A stack reads it from the StatefulSet, the command from the pod as well; both readings are the
 * same few facts, from which one function decides.
 */

import type { HostCondition, HostConditionType } from "../host/status.ts";
import {
  ContainerPhase,
  containersOf,
  type EventReport,
  type Fault,
  type PodReport,
  refusedPod,
  startFault,
} from "./phase.ts";

/** The state of a container as its objects report it. */
export interface DevContainerStatus {
  /**
   * `Off`: its stack has switched it off. `Asleep`: nobody used it. `Starting`: no pod of what is declared now is ready;
   * wait, or read the reason. `Failing`: it waits for a human. `Ready`: what is declared runs.
   */
  phase: ContainerPhase;
  /** Whether its pod is ready, sshd listens and each way in stands. */
  conditions: HostCondition[];
}

/** The parts of a StatefulSet that are looked at. */
export interface WorkloadReport {
  /** Counts the changes of its specification. */
  readonly metadata?: { readonly generation?: number };
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    /** The newest specification that its controller has seen. */
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly updateRevision?: string;
  };
}

/** What either source tells. */
export interface Reading {
  /** Whether there is to be a pod. */
  readonly wanted: boolean;
  /** Why no pod of the newest specification is ready; undefined if one is. */
  readonly fault: Fault | undefined;
  readonly sshd: boolean;
  readonly frpc: boolean;
}

const waiting = (reason: string, message: string): Fault => ({ reason, message, failing: false });
const unseen = waiting("Unseen", "the cluster has not begun with what the stack says");
const noPod = waiting("NoPod", "the pod does not exist");

/** Whether the controller's report is of an earlier specification. */
const isLate = ({ metadata, status }: WorkloadReport) =>
  (status?.observedGeneration ?? 0) < (metadata?.generation ?? 0);

/** As a stack sees it: a StatefulSet counts the pods with its newest specification. */
export function workloadReading(workload: WorkloadReport): Reading {
  const { observedGeneration = 0, replicas = 1 } = workload.status ?? {};
  // Of a new one no pod is counted before its controller has looked at it: it is to have one.
  const counted = observedGeneration === 0 ? 1 : replicas;
  const fault = workloadFault(workload);
  const ready = fault === undefined;
  return { wanted: (workload.spec?.replicas ?? counted) > 0, fault, sshd: ready, frpc: ready };
}

function workloadFault(workload: WorkloadReport): Fault | undefined {
  const { replicas, updatedReplicas = 0, readyReplicas = 0 } = workload.status ?? {};
  if (workload.status === undefined || isLate(workload)) return unseen;
  if (replicas === 0) return noPod;
  if (updatedReplicas === 0) return waiting("OldPod", "the pod is of an earlier specification");
  if (readyReplicas === 0) return waiting("NotReady", "the pod is not ready; drawbridge list tells why");
  return undefined;
}

/**
 * As the command sees it, which learns from the pod why it is not ready.
 * @param pod undefined if there is none
 * @param workload undefined if the user may not read it
 * @param events the workload's, for a caller that finds no pod
 */
export function podReading(
  pod: PodReport | undefined,
  workload?: WorkloadReport,
  events: readonly EventReport[] = [],
): Reading {
  const isGoing = pod?.metadata?.deletionTimestamp !== undefined;
  const runs = (name: string, how: "ready" | "started") =>
    pod !== undefined && containersOf(pod).some((one) => one.name === name && one[how] === true);
  const hasSidecar = pod !== undefined && containersOf(pod).some(({ name }) => name === "sshd");
  return {
    wanted: (workload?.spec?.replicas ?? (pod === undefined || isGoing ? 0 : 1)) > 0,
    fault: podFault(pod, workload, events),
    sshd: !isGoing && runs(hasSidecar ? "sshd" : "dev", "ready"),
    frpc: !isGoing && runs("frpc", "started"),
  };
}

function podFault(
  pod: PodReport | undefined,
  workload: WorkloadReport = {},
  events: readonly EventReport[],
): Fault | undefined {
  if (isLate(workload)) return unseen;
  if (pod === undefined) return refusedPod(events) ?? noPod;
  const { name, namespace, deletionTimestamp, labels } = pod.metadata ?? {};
  if (deletionTimestamp !== undefined) return waiting("Stopping", "the pod is going");
  const fault = startFault(pod);
  const newest = workload.status?.updateRevision;
  if (newest !== undefined && labels?.["controller-revision-hash"] !== newest) {
    // A StatefulSet that replaces pods in order waits for ever for one that does not get ready.
    const why = fault === undefined ? "" : ` (${fault.message})`;
    const message = `the pod is of an earlier specification${why}; if it stays: kubectl -n ${namespace} delete pod ${name}`;
    return { reason: "OldPod", message, failing: fault?.failing === true };
  }
  if (fault?.failing) {
    const cure = "if it is right there, an up was stopped: pulumi up --refresh";
    return { ...fault, message: `${fault.message}; ${cure}` };
  }
  const ready = pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
  return fault ?? (ready ? undefined : waiting("NotReady", "the pod is not ready yet; see its log"));
}

/** Why a container does not run that its stack has switched off. */
export const switchedOff = {
  reason: "SwitchedOff",
  message: "the stack says running: false; set it to true and run pulumi up",
} as const;

const asleep = {
  reason: "Asleep",
  message: "nobody used it; connecting through the gateway wakes it, or: drawbridge wake",
} as const;

/** What the stack says of a container. */
export interface Declared {
  readonly running: boolean;
  /** Whether it sleeps when nobody uses it. */
  readonly sleeps: boolean;
  readonly hasSshd: boolean;
  readonly hasFrpc: boolean;
}

export function containerStatus(
  { wanted, fault, sshd, frpc }: Reading,
  { running, sleeps, hasSshd, hasFrpc }: Declared,
): DevContainerStatus {
  const atRest = !running ? switchedOff : sleeps && !wanted ? asleep : undefined;
  const says = (
    type: HostConditionType,
    holds: boolean,
    reason: string,
    whyNot: Omit<Fault, "failing">,
  ): HostCondition => {
    const { reason: why, message } = atRest ?? whyNot;
    return holds && atRest === undefined
      ? { type, status: true, reason, message: "" }
      : { type, status: false, reason: why, message };
  };
  const silent = fault ?? waiting("NotListening", "sshd does not listen yet; see the pod's log");
  const away = fault ?? waiting("NotRunning", "frpc does not run yet, so frps does not know the container");
  return {
    phase: phaseOf(atRest, fault),
    conditions: [
      says("PodReady", fault === undefined, "Ready", fault ?? noPod),
      ...(hasSshd ? [says("SshReady", sshd, "Listening", silent)] : []),
      ...(hasFrpc ? [says("FrpcRunning", frpc, "Running", away)] : []),
    ],
  };
}

function phaseOf(
  atRest: typeof switchedOff | typeof asleep | undefined,
  fault: Fault | undefined,
): ContainerPhase {
  if (atRest !== undefined) return atRest === asleep ? ContainerPhase.Asleep : ContainerPhase.Off;
  if (fault === undefined) return ContainerPhase.Ready;
  return fault.failing ? ContainerPhase.Failing : ContainerPhase.Starting;
}
