// Made by `npm run docs` of packages/manifests/src/container/phase.ts; change that.
/**
 * The words for where a container is, and why a pod does not start. It imports nothing: the image of packages/programs runs
 * sources alone, and has a copy of this file, made by `npm run docs`.
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
}

/** Why a container is not ready. */
export interface Fault {
  /** In one word. */
  readonly reason: string;
  readonly message: string;
  /** Whether it waits for a human. */
  readonly failing: boolean;
}

/** A container that waits for one of these waits for a human. */
const failures = [
  "CrashLoopBackOff",
  "CreateContainerConfigError",
  "CreateContainerError",
  "ErrImageNeverPull",
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "RunContainerError",
  "StartError",
];

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
    return { reason, message: `no node takes it: ${message}`, failing: false };
  }
  for (const { name, state } of containersOf(pod)) {
    const { reason = "", message = "no more is known" } = state?.waiting ?? {};
    if (failures.includes(reason))
      return { reason, message: `${reason} of container ${name}: ${message}`, failing: true };
  }
  return undefined;
}
