/** A namespace that is made to try something with pods, and deleted afterwards. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ExecOutcome, execScript } from "../sshpod/exec.ts";
import type { Kube } from "../sshpod/kube.ts";
import { isReady, type Pod } from "../sshpod/pod.ts";

export interface TimeLimits {
  /** Until all pods run, their image's pull included. */
  readonly startSeconds: number;
  /** Until a policy that was just made holds. */
  readonly policySeconds: number;
}

/** The port that pods try to reach. */
export const port = 8080;
/** A script that leaves the pod to others. */
export const resting = "import time\ntime.sleep(3600)";

export type Direction = "Ingress" | "Egress";

export class TrialNamespace {
  readonly #kube: Kube;
  readonly #namespace: string;
  readonly #image: string;
  readonly #pods = new Map<string, Pod>();

  constructor(kube: Kube, namespace: string, image: string) {
    this.#kube = kube;
    this.#namespace = namespace;
    this.#image = image;
  }

  /**
   * A pod that runs a Python script.
   * @param isNetworkAdmin with the part of what an engine inside a container has that reaches the network; else within Pod
   *   Security "restricted"
   */
  addPod(name: string, script: string, isNetworkAdmin = false): Promise<void> {
    const user = isNetworkAdmin ? { runAsUser: 0 } : { runAsUser: 1000, runAsNonRoot: true };
    return this.#kube.create(this.#path("pods"), {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels: { app: name } },
      spec: {
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        hostUsers: !isNetworkAdmin,
        securityContext: { ...user, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            name: "main",
            image: this.#image,
            command: ["python3", "-c", script],
            resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "64Mi" } },
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ["ALL"], add: isNetworkAdmin ? ["NET_ADMIN"] : [] },
            },
          },
        ],
      },
    });
  }

  /** What is wrong with those pods that do not run within the time; undefined when all run. */
  async whyNotStarted(names: readonly string[], seconds: number): Promise<string | undefined> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      const pods = await Promise.all(
        names.map((name) => this.#kube.get<Pod>(`${this.#path("pods")}/${name}`)),
      );
      for (const [index, pod] of pods.entries()) this.#pods.set(names[index] as string, pod);
      const late = names.filter((_, index) => !canBeReached(pods[index] as Pod));
      if (late.length === 0) return undefined;
      if (Date.now() > deadline) {
        const reasons = late.map((name) => `${name}: ${this.#reason(name)}`);
        return `not tried: a pod did not start: ${reasons.join(", ")}; see --image`;
      }
      await sleep(1000);
    }
  }

  #reason(name: string): string {
    const [first] = this.#pods.get(name)?.status?.containerStatuses ?? [];
    return first?.state?.waiting?.reason ?? "no node took it";
  }

  address(pod: string): string {
    return this.#pods.get(pod)?.status?.podIP ?? "";
  }

  /** Runs a Python script in a pod. */
  run(pod: string, script: string, args: readonly string[]): Promise<ExecOutcome> {
    const podUid = this.#pods.get(pod)?.metadata.uid ?? "";
    const place = { namespace: this.#namespace, pod, podUid, container: "main", ownTmp: true };
    return execScript(this.#kube, place, 'exec python3 -c "$@"', [script, ...args]);
  }

  /** A policy of that direction, of its name, that closes a pod but for `rules`. */
  addPolicy(direction: Direction, pod: string, rules: object = {}): Promise<void> {
    return this.#kube.create(this.#path("networkpolicies", "/apis/networking.k8s.io/v1"), {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: direction.toLowerCase() },
      spec: { podSelector: { matchLabels: { app: pod } }, policyTypes: [direction], ...rules },
    });
  }

  removePolicy(direction: Direction): Promise<void> {
    const path = this.#path("networkpolicies", "/apis/networking.k8s.io/v1");
    return this.#kube.remove(`${path}/${direction.toLowerCase()}`);
  }

  #path(kind: string, group = "/api/v1"): string {
    return `${group}/namespaces/${this.#namespace}/${kind}`;
  }
}

const canBeReached = (pod: Pod) => pod.status?.podIP !== undefined && isReady(pod);

/** Whether a question gets the wanted answer within the time. */
export async function becomes(
  wanted: boolean,
  ask: () => Promise<boolean>,
  seconds: number,
): Promise<boolean> {
  const deadline = Date.now() + seconds * 1000;
  while ((await ask()) !== wanted) {
    if (Date.now() > deadline) return false;
    await sleep(1000);
  }
  return true;
}
