/** Many simulated nodes, kept ready as long as a scenario runs. */
import { simulatedTaint, stopNodes } from "../../support/simulated-nodes.ts";
import type { Removal } from "../cleanup.ts";
import type { KubeApi } from "../support/api.ts";

/** What Kubernetes recommends at most. */
const podsPerNode = 110;
/** The node controller gives a node up after some 40 s without a heartbeat. */
const heartbeat = 15_000;

const capacity = { cpu: "256", memory: "1Ti", pods: String(podsPerNode), "ephemeral-storage": "1Ti" };

const nodeOf = (name: string) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name,
    labels: { "kubernetes.io/hostname": name, [simulatedTaint.key]: simulatedTaint.value },
  },
  spec: { taints: [simulatedTaint] },
});

function status(): object {
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

/** As many nodes as `pods` pods need. */
export async function startCrowdOfNodes(
  api: KubeApi,
  pods: number,
  later: (removal: Removal) => void,
): Promise<void> {
  const names = Array.from({ length: Math.ceil(pods / podsPerNode) }, (_, index) => `simulated-${index}`);
  later(stopNodes);
  for (const name of names) await api.send("POST", "/api/v1/nodes", nodeOf(name));
  const beat = async () => {
    for (const name of names) await api.send("PATCH", `/api/v1/nodes/${name}/status`, status());
  };
  await beat();
  const timer = setInterval(
    () => void beat().catch((error: Error) => console.error(error.message)),
    heartbeat,
  );
  later(async () => clearInterval(timer));
}
