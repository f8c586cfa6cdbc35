/**
 * Whether a pod gets past a NetworkPolicy with the address of one that the policy lets in. Nothing has to come back, so
 * datagrams show it.
 */
import { CliError } from "../cli-error.ts";
import type { Requirement } from "./finding.ts";
import { becomes, port, resting, type TimeLimits, type TrialNamespace } from "./trial-namespace.ts";

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

const step = "NetworkPolicy, under another pod's address";

/** @param trial with the pods "listener" and "speaker", in a namespace that takes a pod with NET_ADMIN */
export async function tryAnotherAddress(
  trial: TrialNamespace,
  { startSeconds, policySeconds }: TimeLimits,
): Promise<Requirement> {
  await trial.addPod("borrower", resting, true);
  const late = await trial.whyNotStarted(["borrower"], startSeconds);
  if (late !== undefined) return { step, ok: false, text: late };
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
  if (!isJudged) return { step, ok: false, text: "not tried: datagrams do not follow the policy" };
  return addressRequirement(!(await hears("borrower", "speaker")));
}

export function addressRequirement(isDropped: boolean): Requirement {
  const text = isDropped
    ? "is enforced"
    : "is not enforced, so who has NET_ADMIN speaks as any pod; give containersInside to no team that others distrust, or take a network plugin that drops such packets, as Calico, Cilium and Antrea do";
  return { step, ok: isDropped, text };
}
