/** Whether this cluster's network enforces NetworkPolicies. No API tells, so it is tried with pods. */
import { randomBytes } from "node:crypto";
import { CliError } from "../faults.ts";
import { type Kube, KubeError } from "../sshpod/kube.ts";
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

interface Trial {
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
    return `was refused: ${error.said}`;
  }
}

const makeNamespace = (kube: Kube, name: string, podSecurity: string) =>
  kube.create("/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "pod-security.kubernetes.io/enforce": podSecurity } },
  });

const hearSeconds = 3;
// What the pods run, in Python.
const withSocket = `import socket, sys, time
family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
with socket.socket(family, socket.SOCK_DGRAM) as udp:`;
const hearing = `${withSocket}
    udp.bind((sys.argv[1], ${port}))
    udp.settimeout(${hearSeconds})
    try: print(udp.recvfrom(16)[1][0])
    except TimeoutError: pass`;
// IPV6_TRANSPARENT and IP_TRANSPARENT of Linux let a socket have any address, and need NET_ADMIN.
const speaking = `${withSocket}
    try: udp.setsockopt(*((41, 75) if ":" in sys.argv[1] else (0, 19)), 1)
    except PermissionError: pass
    udp.bind((sys.argv[1], 0))
    for _ in range(${hearSeconds * 5}):
        udp.sendto(b"x", (sys.argv[2], ${port}))
        time.sleep(0.2)`;

const underAnother = "NetworkPolicy, under another pod's address";

/**
 * Whether a pod gets past a NetworkPolicy with the address of one that the policy lets in. Nothing has to come back, so
 * datagrams show it.
 * @param trial with the pods "listener" and "speaker", in a namespace that takes a pod with NET_ADMIN
 */
async function tryAnotherAddress(
  trial: TrialNamespace,
  { startSeconds, policySeconds }: TimeLimits,
): Promise<Requirement> {
  await trial.addPod("borrower", resting, true);
  const late = await trial.whyNotStarted(["borrower"], startSeconds);
  if (late !== undefined) return { step: underAnother, ok: false, text: late };
  const hears = async (pod: string, as: string) => {
    const [source, target] = [trial.address(as), trial.address("listener")];
    const [heard, { exitCode, stderr }] = await Promise.all([
      trial.run("listener", hearing, [target]),
      trial.run(pod, speaking, [source, target]),
    ]);
    if (exitCode !== 0) throw new CliError(`the pod ${pod} cannot send: ${stderr.trim()}`);
    return heard.stdout.trim() === source;
  };
  await trial.addPolicy("Ingress", "listener", {
    ingress: [{ from: [{ podSelector: { matchLabels: { app: "speaker" } } }] }],
  });
  const isJudged =
    (await becomes(true, () => hears("speaker", "speaker"), policySeconds)) &&
    (await becomes(false, () => hears("borrower", "borrower"), policySeconds));
  if (!isJudged)
    return { step: underAnother, ok: false, text: "not tried: datagrams do not follow the policy" };
  return addressRequirement(!(await hears("borrower", "speaker")));
}

export function addressRequirement(isDropped: boolean): Requirement {
  const text = isDropped
    ? "is enforced"
    : "is not enforced, so who has NET_ADMIN speaks as any pod; allow containersInside to no team that others distrust, or take a network plugin that drops such packets, as Calico, Cilium and Antrea do";
  return { step: underAnother, ok: isDropped, text };
}
