/** Nodes that exist only in the API: the real scheduler places pods on them, and nothing ever runs there. */
import { apply, kubectl } from "../../../scripts/lib/lab/lab.ts";

/** Keeps everybody else's pods away from simulated nodes. */
export const simulatedTaint = {
  key: "drawbridge.dev/simulated",
  value: "true",
  effect: "NoSchedule",
} as const;

/** What a simulated node has besides the taint of all of them. */
export interface SimulatedNode {
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { key: string; value?: string; effect: string }[];
  /** Extended resources such as GPUs. */
  readonly resources?: Readonly<Record<string, string>>;
}

/** A simulated node as it is made. */
export const simulatedNode = (name: string, { labels, taints = [] }: SimulatedNode = {}) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name,
    labels: { "kubernetes.io/hostname": name, [simulatedTaint.key]: simulatedTaint.value, ...labels },
  },
  spec: { taints: [simulatedTaint, ...taints] },
});

/** What the kubelet of a ready node with that much room would say now. */
export function readyNow(capacity: Readonly<Record<string, string>>) {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const ready = {
    type: "Ready",
    status: "True",
    reason: "Simulated",
    message: "",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  return { status: { capacity, allocatable: capacity, conditions: [ready] } };
}

/** Makes the nodes and reports them ready. The node controller gives them up after some 40 s without a heartbeat. */
export async function startNodes(nodes: Readonly<Record<string, SimulatedNode>>): Promise<void> {
  for (const [name, node] of Object.entries(nodes)) {
    await apply(simulatedNode(name, node));
  }
  await beat(nodes);
}

/** The heartbeat of simulated nodes. */
export async function beat(nodes: Readonly<Record<string, SimulatedNode>>): Promise<void> {
  for (const [name, node] of Object.entries(nodes)) {
    const room = { cpu: "8", memory: "32Gi", pods: "20", "ephemeral-storage": "100Gi" };
    const said = JSON.stringify(readyNow({ ...room, ...node.resources }));
    await kubectl(["patch", "node", name, "--subresource=status", "--type=merge", "-p", said]);
  }
}

export async function stopNodes(): Promise<void> {
  await kubectl(["delete", "node", "-l", "drawbridge.dev/simulated=true", "--wait=false"]);
}
