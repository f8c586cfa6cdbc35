/** The lab's node that is a machine: what goes there, and what is done to it from inside. */
import { labLayout } from "@drawbridge-iac/lab";
import { containerdSocket } from "../../packages/lab/src/cluster/layout.ts";
import { readPlan } from "../../packages/lab/src/cluster/plan.ts";
import { kubectl, must } from "../../scripts/lib/lab/lab.ts";
import { lab, on } from "../support/lab/nodes.ts";
import { startAlone, stopProbe } from "../support/lab/probe-pod.ts";

export const machine = "lab-node-2";
const taint = "test.drawbridge.dev/slow";

/** Only what is about the machine goes there: everything takes twenty times as long. */
export const there = { ...on(machine), tolerations: [{ key: taint, operator: "Exists" as const }] };

/** Time allowed for a start of a pod there. */
export const startSeconds = 900;

export async function keepOthersOff(): Promise<void> {
  await kubectl(["taint", "node", machine, `${taint}=:NoSchedule`, "--overwrite"]);
}

export async function letOthersOn(): Promise<void> {
  await kubectl(["taint", "node", machine, `${taint}-`]);
}

const namespace = "machine-hands";
const inPod = ["-n", namespace, "exec", "-i", "hands", "--"];

/** Starts a pod that is root on the machine itself. kubelet evicts it last. */
export async function startHands(): Promise<void> {
  const spec = {
    ...on(machine),
    tolerations: [{ operator: "Exists" }],
    priorityClassName: "system-node-critical",
    hostPID: true,
    hostNetwork: true,
  };
  const container = { command: ["sleep", "infinity"], securityContext: { privileged: true } };
  await startAlone(namespace, "hands", container, spec, 300);
}

export const stopHands = () => stopProbe(namespace);

/** What a script says that runs on the machine as its own root. */
export function onMachine(script: string): Promise<string> {
  const enter = ["nsenter", "-t", "1", "-m", "-u", "-n", "-i", "-p", "--", "/bin/sh", "-eu"];
  const input = `PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n${script}`;
  return must("kubectl", [...inPod, ...enter], { input, timeoutSeconds: 300 });
}

/** Leaves a script that goes on by itself, in no pod's cgroup. */
export async function leftOnMachine(script: string): Promise<void> {
  await onMachine(`cat >/run/left.sh <<'END'
${script}
END
echo $$ >/sys/fs/cgroup/cgroup.procs
setsid sh -eu /run/left.sh </dev/null >/run/left.log 2>&1 &`);
}

/** Without a registry, an image that kubelet removes for lack of room is gone for good. */
export async function pinImages(): Promise<void> {
  const { tools } = await readPlan(labLayout(lab).plan);
  const ctr = `${tools.ctr} --address=${containerdSocket} --namespace=k8s.io images`;
  await onMachine(`for image in $(${ctr} list --quiet); do
  ${ctr} label $image io.cri-containerd.pinned=pinned >/dev/null
done`);
}
