import { readFile, writeFile } from "node:fs/promises";
import type { ToolName } from "../tools/catalogue.ts";
import type { Layout } from "./layout.ts";
import type { NodePlan } from "./nodes/plan.ts";

/** The programs that an instance runs or puts on PATH. */
export const clusterTools = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
  "kube-proxy",
  "containerd",
  "containerd-shim-runc-v2",
  "ctr",
  "runc",
  "cni-host-local",
  "cni-loopback",
  "cni-portmap",
  "cni-ptp",
  "kube-network-policies",
  "metallb-controller",
] as const satisfies readonly ToolName[];

export type ClusterTool = (typeof clusterTools)[number];

/** What a lab that starts with previous versions has besides. */
export interface Previous {
  /** Path of each previous program. */
  tools: Record<string, string>;
  /** Path of each newer one. */
  newer: Record<string, string>;
  /** File with the newer Istio's objects. */
  istio: string;
}

/** Memory of a machine: containerd, kubelet and the supervisor take 500 MiB of it. */
export const memoryMib = 2048;

/** What the machine of a lab stands on. */
export interface MachinePlan {
  /** Folder with its Debian. */
  debian: string;
  /** Disk with the images; the machine's own lies over it. */
  disk: string;
  /** The archives of those images. */
  archives: readonly string[];
  /** File with the supervisor. */
  supervisor: string;
  /** QEMU's. */
  accelerator: string;
}

/** Everything the supervisors of one instance need to know. `up` writes it; nothing in it changes afterwards. */
export interface Plan {
  name: string;
  layout: Layout;
  /** The first one also holds the control plane. */
  nodes: readonly NodePlan[];
  /** Absolute path of each program. */
  tools: Record<ClusterTool, string>;
  /** Absolute paths of the programs that `exec` puts on PATH. */
  clientTools: readonly string[];
  /** Reference of the image that holds a pod's namespaces open. */
  pauseImage: string;
  /** Reference of the image with MetalLB's programs. */
  metallbImage: string;
  /** File with Istio's objects, see `istio/chart.ts`. */
  istio: string;
  /** File with those of cluster DNS, see `programs/coredns.ts`. */
  dns: string;
  /** Folder of a containerd that holds the images, see `image-store.ts`. */
  imageStore: string;
  /** Only in a lab with a machine, which is the last node. */
  machine?: MachinePlan;
  /** Only in a lab that started with previous versions. */
  previous?: Previous;
}

export async function writePlan(plan: Plan): Promise<void> {
  await writeFile(plan.layout.plan, JSON.stringify(plan, undefined, 2));
}

export async function readPlan(path: string): Promise<Plan> {
  return JSON.parse(await readFile(path, "utf8")) as Plan;
}
