/**
 * Whether this cluster's network enforces NetworkPolicies. No API tells, so it is tried with two pods in a namespace that is
 * made for it and deleted afterwards.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { execScript } from "../sshpod/exec.ts";
import { type Kube, KubeError } from "../sshpod/kube.ts";
import type { Requirement } from "./finding.ts";

interface Pod {
  readonly metadata: { readonly uid: string };
  readonly status: {
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly state: { readonly waiting?: { readonly reason: string } };
    }[];
  };
}

export interface TimeLimits {
  /** Until all pods run, their image's pull included. */
  readonly startSeconds: number;
  /** Until a policy that was just made holds. */
  readonly policySeconds: number;
}

const usual: TimeLimits = { startSeconds: 180, policySeconds: 30 };
const port = 8080;

// What the pods run, in Python.
const accepting = `import socket
if socket.has_dualstack_ipv6(): server = socket.create_server(("", ${port}), family=socket.AF_INET6, dualstack_ipv6=True)
else: server = socket.create_server(("", ${port}))
while True: server.accept()[0].close()`;
const resting = "import time\ntime.sleep(3600)";
const connecting = `import socket, sys
try:
    socket.create_connection((sys.argv[1], ${port}), timeout=3).close()
    print("reached")
except OSError: print("refused")`;

/** @param image has a shell and python3 */
export async function networkRequirements(kube: Kube, image: string, limits = usual): Promise<Requirement[]> {
  const namespace = `drawbridge-doctor-${randomBytes(4).toString("hex")}`;
  const made = await refusal(() => makeNamespace(kube, namespace));
  if (made !== undefined) {
    const text = `${made}; ask the platform team to run drawbridge doctor --network`;
    return [{ step: "network", ok: false, text }];
  }
  try {
    return await tryPolicies(new TrialNamespace(kube, namespace, image), limits);
  } finally {
    await kube.remove(`/api/v1/namespaces/${namespace}`);
  }
}

async function tryPolicies(
  trial: TrialNamespace,
  { startSeconds, policySeconds }: TimeLimits,
): Promise<Requirement[]> {
  await trial.addPod("listener", accepting);
  await trial.addPod("speaker", resting);
  const late = await trial.waitingFor(["listener", "speaker"], startSeconds);
  if (late !== "") {
    const text = `not tried: a pod did not start: ${late}; see --image`;
    return [{ step: "network", ok: false, text }];
  }
  const reaches = () => trial.reaches("speaker", "listener");
  const found: Requirement[] = [];
  for (const [direction, pod] of [
    ["Ingress", "listener"],
    ["Egress", "speaker"],
  ] as const) {
    // Without this a pair of pods that never reached each other would look like a policy that is enforced.
    if (!(await becomes(true, reaches, policySeconds))) {
      const text = "not tried: two pods that no policy selects do not reach each other";
      return [...found, { step: "network", ok: false, text }];
    }
    await trial.addPolicy(direction, pod);
    found.push(policyRequirement(direction, await becomes(false, reaches, policySeconds)));
    await trial.removePolicy(direction);
  }
  return found;
}

export function policyRequirement(direction: "Ingress" | "Egress", isEnforced: boolean): Requirement {
  const step = `NetworkPolicy, ${direction === "Ingress" ? "into" : "out of"} a pod`;
  if (isEnforced) return { step, ok: true, text: "is enforced" };
  const text =
    "is not enforced, so every pod reaches every other and the teams' isolation is void; turn policies on: on EKS enableNetworkPolicy of the VPC CNI, on AKS networkPolicy, on GKE Dataplane V2, elsewhere a plugin that enforces them";
  return { step, ok: false, text };
}

/** Whether a question gets the wanted answer within the time. */
async function becomes(wanted: boolean, ask: () => Promise<boolean>, seconds: number): Promise<boolean> {
  const deadline = Date.now() + seconds * 1000;
  while ((await ask()) !== wanted) {
    if (Date.now() > deadline) return false;
    await sleep(1000);
  }
  return true;
}

/** The API server's refusal; undefined if it does the work. */
async function refusal(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return `was refused: ${error.message}`;
  }
}

const makeNamespace = (kube: Kube, name: string) =>
  kube.create("/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
  });

/** The namespace that is made for the trial, with its pods. */
class TrialNamespace {
  readonly #kube: Kube;
  readonly #namespace: string;
  readonly #image: string;
  readonly #pods = new Map<string, Pod>();

  constructor(kube: Kube, namespace: string, image: string) {
    this.#kube = kube;
    this.#namespace = namespace;
    this.#image = image;
  }

  addPod(name: string, script: string): Promise<void> {
    return this.#kube.create(this.#path("pods"), {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels: { app: name } },
      spec: {
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            name: "main",
            image: this.#image,
            command: ["python3", "-c", script],
            resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "64Mi" } },
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
          },
        ],
      },
    });
  }

  /** Why those pods that do not run within the time do not; empty when all run. */
  async waitingFor(names: readonly string[], seconds: number): Promise<string> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      const pods = await Promise.all(
        names.map((name) => this.#kube.get<Pod>(`${this.#path("pods")}/${name}`)),
      );
      for (const [index, pod] of pods.entries()) this.#pods.set(names[index] as string, pod);
      const late = names.filter((_, index) => !isReady(pods[index] as Pod));
      if (late.length === 0) return "";
      if (Date.now() > deadline) return late.map((name) => `${name}: ${this.#reason(name)}`).join(", ");
      await sleep(1000);
    }
  }

  #reason(name: string): string {
    const [status] = this.#pods.get(name)?.status.containerStatuses ?? [];
    return status?.state.waiting?.reason ?? "no node took it";
  }

  /** Whether one pod opens a connection to another. */
  async reaches(pod: string, other: string): Promise<boolean> {
    const podUid = this.#pods.get(pod)?.metadata.uid ?? "";
    const place = { namespace: this.#namespace, pod, podUid, container: "main", ownTmp: true };
    const args = [connecting, this.#pods.get(other)?.status.podIP ?? ""];
    const { stdout } = await execScript(this.#kube, place, 'exec python3 -c "$@"', args);
    return stdout.trim() === "reached";
  }

  addPolicy(direction: string, pod: string): Promise<void> {
    return this.#kube.create(this.#path("networkpolicies", "/apis/networking.k8s.io/v1"), {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: direction.toLowerCase() },
      spec: { podSelector: { matchLabels: { app: pod } }, policyTypes: [direction] },
    });
  }

  removePolicy(direction: string): Promise<void> {
    const path = this.#path("networkpolicies", "/apis/networking.k8s.io/v1");
    return this.#kube.remove(`${path}/${direction.toLowerCase()}`);
  }

  #path(kind: string, group = "/api/v1"): string {
    return `${group}/namespaces/${this.#namespace}/${kind}`;
  }
}

const isReady = ({ status }: Pod) =>
  status.podIP !== undefined &&
  (status.conditions ?? []).some((one) => one.type === "Ready" && one.status === "True");
