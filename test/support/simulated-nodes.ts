/** Nodes that exist only in the API: the real scheduler places pods on them, and nothing ever runs there. */
import { kubectl } from "./lab.ts";

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

/** Makes the nodes and reports them ready. The node controller gives them up after some 40 s without a heartbeat. */
export async function startNodes(nodes: Readonly<Record<string, SimulatedNode>>): Promise<void> {
  for (const [name, node] of Object.entries(nodes)) {
    const labels = { "kubernetes.io/hostname": name, "drawbridge.dev/simulated": "true", ...node.labels };
    const object = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels },
      spec: { taints: [simulatedTaint, ...(node.taints ?? [])] },
    };
    await kubectl(["apply", "-f", "-"], JSON.stringify(object));
  }
  await beat(nodes);
}

/** The heartbeat of simulated nodes. */
export async function beat(nodes: Readonly<Record<string, SimulatedNode>>): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  for (const [name, node] of Object.entries(nodes)) {
    const capacity = {
      cpu: "8",
      memory: "32Gi",
      pods: "20",
      "ephemeral-storage": "100Gi",
      ...node.resources,
    };
    const ready = {
      type: "Ready",
      status: "True",
      reason: "Simulated",
      message: "",
      lastHeartbeatTime: now,
      lastTransitionTime: now,
    };
    const status = { capacity, allocatable: capacity, conditions: [ready] };
    await kubectl([
      "patch",
      "node",
      name,
      "--subresource=status",
      "--type=merge",
      "-p",
      JSON.stringify({ status }),
    ]);
  }
}

export async function stopNodes(): Promise<void> {
  await kubectl(["delete", "node", "-l", "drawbridge.dev/simulated=true", "--wait=false"]);
}
