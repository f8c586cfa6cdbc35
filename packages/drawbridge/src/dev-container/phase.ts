/**
 * The words for where a container is, and why a pod does not start. The command and the
 * controllers (packages/controllers) say the same.
 */

/** Where a container is in its life, by what a person does about it. */
export const ContainerPhase = {
  /** Its stack has switched it off: `running: true` brings it back. */
  Off: "Off",
  /** Nobody used it: connecting wakes it. */
  Asleep: "Asleep",
  /** No pod of the newest specification is ready: wait, or read the reason. */
  Starting: "Starting",
  /** It waits for a human: read the reason. */
  Failing: "Failing",
  /** What is declared runs. */
  Ready: "Ready",
} as const;
export type ContainerPhase = (typeof ContainerPhase)[keyof typeof ContainerPhase];

/** The parts of a Pod that are looked at. */
export interface PodReport {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly deletionTimestamp?: unknown;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
    readonly initContainerStatuses?: readonly ContainerReport[];
    readonly containerStatuses?: readonly ContainerReport[];
  };
}

interface ContainerReport {
  readonly name: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly state?: {
    readonly running?: object;
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly reason?: string };
  };
  readonly lastState?: { readonly terminated?: { readonly reason?: string } };
}

/** Why a container is not ready. */
export interface Fault {
  /** In one word. */
  readonly reason: string;
  readonly message: string;
  /** Whether it waits for a human. */
  readonly failing: boolean;
}

const wrongImage = "check the image's name in the stack, its registry, and the pull secret";
const wrongStart = "read the pod's log, and mend image, command or start in the stack";

/** A container that waits for one of these waits for a human; with what to do. */
const failures: ReadonlyMap<string, string> = new Map([
  ["CrashLoopBackOff", wrongStart],
  ["CreateContainerConfigError", "make the Secret or ConfigMap that it names, or mend the name in the stack"],
  ["CreateContainerError", wrongStart],
  ["ErrImageNeverPull", wrongImage],
  ["ErrImagePull", wrongImage],
  ["ImagePullBackOff", wrongImage],
  ["InvalidImageName", wrongImage],
  ["OOMKilled", "its memory is used up each time: raise resources.memory in the stack"],
  ["RunContainerError", wrongStart],
  ["StartError", wrongStart],
]);

export const containersOf = ({ status }: PodReport) => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/** Why a pod does not start, as its own report has it; undefined if nothing is wrong so far. */
export function startFault(pod: PodReport): Fault | undefined {
  const { phase, conditions, reason = "Failed", message } = pod.status ?? {};
  if (phase === "Failed") return { reason, message: message ?? "the pod has failed", failing: true };
  const scheduled = conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False") {
    const { reason = "Unscheduled", message = reason } = scheduled;
    const cure = "ask for less in the stack, or wait for a node";
    // What the scheduler adds on preemption helps nobody here, and would push the cure off the line a client sees.
    const why = message.replace(/\. (no new claims to deallocate, )?preemption: .*$/s, ".");
    return { reason, message: `no node takes it: ${why}; ${cure}`, failing: false };
  }
  for (const { name, state, lastState } of containersOf(pod)) {
    const { reason: waitsFor = "", message = "no more is known" } = state?.waiting ?? {};
    const wasKilled = waitsFor === "CrashLoopBackOff" && lastState?.terminated?.reason === "OOMKilled";
    const reason = wasKilled ? "OOMKilled" : waitsFor;
    const cure = failures.get(reason);
    if (cure !== undefined)
      return { reason, message: `${reason} of container ${name}: ${message}; ${cure}`, failing: true };
  }
  return undefined;
}

/** The parts of an Event that are looked at. */
export interface EventReport {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTimestamp?: string | undefined;
}

/** The path of a StatefulSet's Events, which alone say why there is no pod. */
export const eventsPath = (namespace: string, workload: string) =>
  `/api/v1/namespaces/${namespace}/events?limit=500&fieldSelector=involvedObject.kind%3DStatefulSet%2CinvolvedObject.name%3D${workload}`;

/** Why a StatefulSet's pod was not made, by its Events; undefined if the last one was made. */
export function refusedPod(events: readonly EventReport[]): Fault | undefined {
  const outcomes = events.filter(({ reason }) => reason === "FailedCreate" || reason === "SuccessfulCreate");
  const at = ({ lastTimestamp = "" }: EventReport) => lastTimestamp;
  const last = outcomes.reduce<EventReport | undefined>(
    (newest, event) => (newest === undefined || at(event) >= at(newest) ? event : newest),
    undefined,
  );
  if (last?.reason !== "FailedCreate") return undefined;
  // "create Pod dev1-0 in StatefulSet dev1 failed error: …", of which the end is the API server's own word.
  const message = (last.message ?? "no more is known").replace(/^.*? failed error: /, "");
  return {
    reason: last.reason,
    message: `its pod cannot be made: ${message}; ${cureOf(message)}`,
    failing: true,
  };
}

function cureOf(refusal: string): string {
  if (/exceeded quota|unknown for quota/.test(refusal))
    return "ask for less in the stack, let another container sleep, or ask the platform's team for a larger quota";
  if (/forbidden|denied/.test(refusal)) return "mend what it names in the stack, or ask the platform's team";
  return "ask the platform's team";
}
