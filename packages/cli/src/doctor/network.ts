/** Whether this cluster's network enforces NetworkPolicies. No API tells, so it is tried with pods. */
import { randomBytes } from "node:crypto";
import { type Kube, KubeError } from "../sshpod/kube.ts";
import { tryAnotherAddress } from "./another-address.ts";
import type { Requirement } from "./finding.ts";
import {
  becomes,
  type Direction,
  port,
  resting,
  type TimeLimits,
  TrialNamespace,
} from "./trial-namespace.ts";

const usual: TimeLimits = { startSeconds: 180, policySeconds: 30 };

// What the pods run, in Python.
const accepting = `import socket
if socket.has_dualstack_ipv6(): server = socket.create_server(("", ${port}), family=socket.AF_INET6, dualstack_ipv6=True)
else: server = socket.create_server(("", ${port}))
while True: server.accept()[0].close()`;
const connecting = `import socket, sys
try:
    socket.create_connection((sys.argv[1], ${port}), timeout=3).close()
    print("reached")
except OSError: print("refused")`;

export interface Trial {
  /** Of the pods; it has a shell and python3. */
  readonly image: string;
  /** Whether it is also tried who gets past the policies under another pod's address. */
  readonly borrows?: boolean | undefined;
  readonly limits?: TimeLimits;
}

export async function networkRequirements(
  kube: Kube,
  { image, borrows = false, limits = usual }: Trial,
): Promise<Requirement[]> {
  const namespace = `drawbridge-doctor-${randomBytes(4).toString("hex")}`;
  const made = await refusal(() => makeNamespace(kube, namespace, borrows ? "privileged" : "restricted"));
  if (made !== undefined) {
    const text = `${made}; ask the platform team to run drawbridge doctor --network`;
    return [{ step: "network", ok: false, text }];
  }
  try {
    const trial = new TrialNamespace(kube, namespace, image);
    const found = await tryPolicies(trial, limits);
    return borrows && found.every(({ ok }) => ok)
      ? [...found, await tryAnotherAddress(trial, limits)]
      : found;
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
  const late = await trial.whyNotStarted(["listener", "speaker"], startSeconds);
  if (late !== undefined) return [{ step: "network", ok: false, text: late }];
  const reaches = async () => {
    const { stdout } = await trial.run("speaker", connecting, [trial.address("listener")]);
    return stdout.trim() === "reached";
  };
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

export function policyRequirement(direction: Direction, isEnforced: boolean): Requirement {
  const step = `NetworkPolicy, ${direction === "Ingress" ? "into" : "out of"} a pod`;
  if (isEnforced) return { step, ok: true, text: "is enforced" };
  const text =
    "is not enforced, so every pod reaches every other and the teams' isolation is void; turn policies on: on EKS enableNetworkPolicy of the VPC CNI, on AKS networkPolicy, on GKE Dataplane V2, elsewhere a plugin that enforces them";
  return { step, ok: false, text };
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

const makeNamespace = (kube: Kube, name: string, podSecurity: string) =>
  kube.create("/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "pod-security.kubernetes.io/enforce": podSecurity } },
  });
