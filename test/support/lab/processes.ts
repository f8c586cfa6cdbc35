/** Looks at the machine's processes. */
import { readdirSync, readFileSync } from "node:fs";
import { labLayout } from "@drawbridge-iac/lab";
import {
  childrenOf,
  identify,
  type ProcessIdentity,
} from "../../../packages/lab/src/cluster/host/processes.ts";
import { kubectl } from "../../../scripts/lib/lab/lab.ts";

/** A process and all that it started, directly and not. */
export function descendantsOf(pid: number): ProcessIdentity[] {
  const own = identify(pid);
  return [...(own === undefined ? [] : [own]), ...childrenOf(pid).flatMap(descendantsOf)];
}

/** The process of a lab's program, by the state folder that stands in its arguments. */
export function programPid(stateFolder: string, program: string): number {
  const found = allProcesses().filter((pid) => {
    const [command = "", ...args] = argumentsOf(pid);
    return command.endsWith(`/${program}`) && args.some((arg) => arg.includes(`${stateFolder}/`));
  });
  if (found.length !== 1) throw new Error(`${found.length} processes of ${program} in ${stateFolder}`);
  return found[0] as number;
}

/** The programs of a cluster that are pods. */
const pods = {
  coredns: ["kube-system", "k8s-app=kube-dns"],
  "pilot-discovery": ["istio-system", "app=istiod"],
} as const;

/** The process of a program that this lab has once, whether it is a pod or not. */
export async function systemPid(program: string): Promise<number> {
  if (!(program in pods)) return programPid(labLayout(process.env.DRAWBRIDGE_LAB ?? "").root, program);
  const [namespace, label] = pods[program as keyof typeof pods];
  const query = ["-n", namespace, "get", "pods", "-l", label, "-o", "jsonpath={.items[*].metadata.uid}"];
  const found = (await kubectl(query)).split(" ").flatMap((uid) => podProcesses(uid, `/${program}`));
  if (found.length !== 1) throw new Error(`${found.length} processes of the pods of ${program}`);
  return found[0] as number;
}

/** The stopped processes (SIGSTOP) of a node, by a folder in their arguments or as its pods. */
export function stoppedBelow(folder: string, cgroup: string): number[] {
  const isOwn = (pid: number) =>
    argumentsOf(pid).some((arg) => arg.includes(`${folder}/`)) || cgroupsOf(pid).includes(`${cgroup}/`);
  return allProcesses().filter((pid) => isStopped(pid) && isOwn(pid));
}

function isStopped(pid: number): boolean {
  try {
    return /^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** The processes of a pod whose first argument ends in these words, by the pod's part of their cgroup. */
export function podProcesses(uid: string, command: string): number[] {
  return allProcesses().filter(
    (pid) => argumentsOf(pid)[0]?.endsWith(command) && cgroupsOf(pid).includes(`/pod${uid}/`),
  );
}

function cgroupsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, "utf8");
  } catch {
    return "";
  }
}

const allProcesses = () => readdirSync("/proc").map(Number).filter(Number.isInteger);

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // It ended since the folder was read.
    return [];
  }
}

/** The processes that have each of these words as an argument. */
export function processesWith(words: readonly string[]): number[] {
  return allProcesses().filter((pid) => {
    const own = argumentsOf(pid);
    return words.every((word) => own.includes(word));
  });
}

/** Resident memory of these processes together, in bytes. */
export function memoryOf(...pids: number[]): number {
  const kibibytes = pids.map((pid) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0),
  );
  return kibibytes.reduce((sum, one) => sum + one * 1024, 0);
}
