/** What tests ask of the nodes of a lab, and where they put pods. */
import { labLayout } from "@drawbridge-iac/lab";
import { inside } from "../../../packages/lab/src/cluster/host/processes.ts";
import { runningNodes } from "../../../packages/lab/src/cluster/nodes/life.ts";
import type { NodePlan } from "../../../packages/lab/src/cluster/nodes/plan.ts";
import { readPlan } from "../../../packages/lab/src/cluster/plan.ts";
import { eventually, found, getObject, kubectl, type Outcome, run } from "../../../scripts/lib/lab/lab.ts";

/** The lab that these tests run in. */
export const lab = process.env.DRAWBRIDGE_LAB ?? "";

/** Puts a pod on one node. */
export const on = (node: string) => ({ nodeSelector: { "kubernetes.io/hostname": node } });

export interface PodObject {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    /** Why the kubelet ended it. */
    readonly reason?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { type: string; status: string; message?: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state: { readonly terminated?: { readonly reason: string } };
    }[];
  };
}

/** What the node's condition says: "True", "False" or "Unknown". */
export async function readinessOf(node: string): Promise<string | undefined> {
  type NodeObject = { status: { conditions: { type: string; status: string }[] } };
  const { status } = await getObject<NodeObject>(["node", node]);
  return status.conditions.find(({ type }) => type === "Ready")?.status;
}

/** Waits until the control plane has given the node up: some 50 s after its last word. */
export async function givenUp(node: string): Promise<void> {
  await eventually(`${node} not ready`, async () => (await readinessOf(node)) === "Unknown", 120);
}

/** What keeps pods off a node. */
export async function taintsOf(node: string): Promise<string[]> {
  const { spec } = await getObject<{ spec: { taints?: { key: string }[] } }>(["node", node]);
  return (spec.taints ?? []).map(({ key }) => key);
}

/** Waits until a node is ready and nothing keeps pods off it: its taints go a moment after its condition. */
export async function readyAgain(node: string): Promise<void> {
  const isReady = async () => (await taintsOf(node)).length === 0 && (await readinessOf(node)) === "True";
  await eventually(`${node} ready`, isReady, 120);
}

/** The running, ready pods of a selection that nobody has told to stop. */
export async function livingPods(namespace: string, selector: string): Promise<PodObject[]> {
  const pods = await found<PodObject>(namespace, "pods", selector);
  return pods.filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined &&
      status.conditions?.some(({ type, status }) => type === "Ready" && status === "True"),
  );
}

/** Lets nothing new on a node and moves the selected pods off it; the others may be another test's. */
export async function drain(node: string, selector: string): Promise<void> {
  const own = ["--pod-selector", selector, "--delete-emptydir-data", "--force", "--timeout=100s"];
  await kubectl(["drain", node, ...own]);
}

export async function uncordon(node: string): Promise<void> {
  await kubectl(["uncordon", node]);
}

/** The nodes of the lab, the first with the control plane. */
export async function labNodes(): Promise<readonly NodePlan[]> {
  return (await readPlan(labLayout(lab).plan)).nodes;
}

async function runningNode(name: string) {
  const running = await runningNodes(await readPlan(labLayout(lab).plan));
  return running.find(({ node }) => node.name === name);
}

export const isRunning = async (node: string): Promise<boolean> => (await runningNode(node)) !== undefined;

/**
 * Runs a command of this machine with a running node's network, or with its file systems.
 */
export async function inNode(
  node: string,
  part: "net" | "mount",
  command: readonly string[],
  input?: string,
): Promise<Outcome> {
  const own = await runningNode(node);
  if (own === undefined) throw new Error(`the node ${node} does not run`);
  const [program, ...args] = inside(own.init, [part], command);
  return run(program, args, input === undefined ? {} : { input });
}

/** Asks for a pod's eviction, as a drain does; its disruption budget may refuse. */
export function evict(namespace: string, name: string): Promise<Outcome> {
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
  return run("kubectl", ["create", "--raw", path, "-f", "-"], { input: JSON.stringify(eviction) });
}
