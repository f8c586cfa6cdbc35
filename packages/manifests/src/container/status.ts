/** The state of a container by rules, from what its own objects report. */

/** One statement about a container; `reason` and `message` say why it does not hold. */
export interface ContainerCondition {
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

/** Where a container is in its life. */
export type ContainerPhase =
  | "Off"
  | "Asleep"
  | "Absent"
  | "Pending"
  | "Starting"
  | "Ready"
  | "Failing"
  | "Stopping";

export interface ContainerStatus {
  readonly phase: ContainerPhase;
  readonly conditions: readonly ContainerCondition[];
}

/** The parts of a Kubernetes Pod that are looked at. */
export interface PodReport {
  readonly metadata?: { readonly deletionTimestamp?: unknown };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
    readonly initContainerStatuses?: readonly ContainerReport[];
    readonly containerStatuses?: readonly ContainerReport[];
  };
}

interface ContainerReport {
  readonly name: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly running?: object;
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
  };
}

// A container that waits for one of these waits for a human.
const failures =
  /^(CrashLoopBackOff|ErrImagePull|ImagePullBackOff|InvalidImageName|CreateContainer(Config)?Error|RunContainerError|StartError|ErrImageNeverPull)$/;

/** What a container says for itself that its stack has switched off. */
export const switchedOff = {
  status: false,
  reason: "SwitchedOff",
  message: "the stack says running: false; set it to true and run pulumi up",
} as const;

/** What a container says for itself that sleeps. */
export const asleep = {
  status: false,
  reason: "Asleep",
  message: "nobody used it; connecting through the gateway wakes it, or: drawbridge wake",
} as const;

/**
 * @param pod the container's pod `<name>-0`, or undefined if there is none
 * @param running what the stack says
 * @param sleeps whether it sleeps when nobody uses it
 */
export function containerStatus(pod: PodReport | undefined, running = true, sleeps = false): ContainerStatus {
  if (pod === undefined) {
    const absent = { status: false, reason: "NoPod", message: "the pod does not exist" };
    const missing = !running ? switchedOff : sleeps ? asleep : absent;
    return {
      phase: !running ? "Off" : sleeps ? "Asleep" : "Absent",
      conditions: ["Scheduled", "Started", "SshReady"].map((type) => ({ type, ...missing })),
    };
  }
  const containers = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const failing = containers.find(({ state }) => failures.test(state?.waiting?.reason ?? ""));
  const conditions = [scheduled(pod), started(pod, failing), sshReady(pod, containers)];
  // A way in of its own: without it the container is as ready by the others.
  return {
    phase: phaseOf(pod, conditions, failing),
    conditions: [...conditions, ...frpcRunning(containers)],
  };
}

function phaseOf(
  pod: PodReport,
  conditions: readonly ContainerCondition[],
  failing: ContainerReport | undefined,
): ContainerPhase {
  if (pod.metadata?.deletionTimestamp !== undefined) return "Stopping";
  if (failing !== undefined || pod.status?.phase === "Failed") return "Failing";
  if (conditions[0]?.status === false) return "Pending";
  return conditions.every(({ status }) => status) ? "Ready" : "Starting";
}

function scheduled(pod: PodReport): ContainerCondition {
  const own = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  return {
    type: "Scheduled",
    status: own?.status === "True",
    reason: own?.reason ?? (own?.status === "True" ? "Scheduled" : "Waiting"),
    message: own?.message ?? "",
  };
}

function started(pod: PodReport, failing: ContainerReport | undefined): ContainerCondition {
  const main = pod.status?.containerStatuses?.find(({ name }) => name === "dev");
  const waiting = failing?.state?.waiting;
  const done = main?.started === true && failing === undefined;
  return {
    type: "Started",
    status: done,
    reason: waiting?.reason ?? (done ? "Started" : (main?.state?.waiting?.reason ?? "Waiting")),
    message: waiting === undefined ? "" : `container ${failing?.name}: ${waiting.message ?? waiting.reason}`,
  };
}

/** sshd is in a container of its own, named `sshd`, or in the main one. */
function sshReady(pod: PodReport, containers: readonly ContainerReport[]): ContainerCondition {
  const own = containers.find(({ name }) => name === "sshd") ?? containers.find(({ name }) => name === "dev");
  const status = own?.ready === true && pod.metadata?.deletionTimestamp === undefined;
  return {
    type: "SshReady",
    status,
    reason: status ? "Listening" : "NotListening",
    message: status ? "" : "sshd does not listen yet; see the pod's log",
  };
}

/** Whether the client of the frp way runs; what frps makes of it, only its log and a try tell. */
function frpcRunning(containers: readonly ContainerReport[]): ContainerCondition[] {
  const frpc = containers.find(({ name }) => name === "frpc");
  if (frpc === undefined) return [];
  const status = frpc.started === true;
  const waiting = frpc.state?.waiting;
  return [
    {
      type: "FrpcRunning",
      status,
      reason: waiting?.reason ?? (status ? "Running" : "Waiting"),
      message: waiting?.message ?? "",
    },
  ];
}
