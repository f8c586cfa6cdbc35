/** Many simulated nodes, kept ready as long as a scenario runs. */
import { readyNow, simulatedNode, stopNodes } from "../../support/lab/simulated-nodes.ts";
import type { Removal } from "../cleanup.ts";
import type { KubeApi } from "../support/api.ts";

/** What Kubernetes recommends at most. */
const podsPerNode = 110;
/** The node controller gives a node up after some 40 s without a heartbeat. */
const heartbeat = 15_000;

const capacity = { cpu: "256", memory: "1Ti", pods: String(podsPerNode), "ephemeral-storage": "1Ti" };

/** As many nodes as `pods` pods need. */
export async function startCrowdOfNodes(
  api: KubeApi,
  pods: number,
  later: (removal: Removal) => void,
): Promise<void> {
  const names = Array.from({ length: Math.ceil(pods / podsPerNode) }, (_, index) => `simulated-${index}`);
  later(stopNodes);
  for (const name of names) await api.send("POST", "/api/v1/nodes", simulatedNode(name));
  const beat = async () => {
    for (const name of names) await api.send("PATCH", `/api/v1/nodes/${name}/status`, readyNow(capacity));
  };
  await beat();
  const timer = setInterval(
    () => void beat().catch((error: Error) => console.error(error.message)),
    heartbeat,
  );
  later(async () => clearInterval(timer));
}
