import type { KubeClient } from "../../kube/client.ts";
import { lookEveryMs, type NodePlan, stepSeconds } from "../nodes/plan.ts";
import type { Plan } from "../plan.ts";
import { provisionVolumes } from "../storage/controller.ts";
import { controlPlaneParts } from "./control-plane.ts";
import { nodeParts } from "./node.ts";
import type { Parts } from "./parts.ts";
import { until } from "./probes.ts";

/** All that one supervisor starts. Each part names what it comes after; everything else starts side by side. */
export function partsOf(plan: Plan, node: NodePlan, api: KubeClient): Parts {
  const own = nodeParts(plan, node, api);
  const once = node === plan.nodes[0] ? controlPlaneParts(plan, api) : elsewhere(plan, node, api);
  return { programs: [...once.programs, ...own.programs], others: [...own.others, ...once.others] };
}

/** Only a machine has folders that the first node does not see. */
const volumes = (plan: Plan, node: NodePlan, api: KubeClient) => ({
  name: "volumes",
  after: ["kube-apiserver"],
  run: async () => provisionVolumes(api, plan, [node]),
});

/** On a further node the API server is only waited for. */
function elsewhere(plan: Plan, node: NodePlan, api: KubeClient): Parts {
  const isReady = async () => (await api.look("/readyz")) === "ok";
  const run = () => until(isReady, stepSeconds(node), lookEveryMs(node));
  const others = [{ name: "kube-apiserver", after: ["network"], run }];
  return { programs: [], others: node.machine ? [...others, volumes(plan, node, api)] : others };
}
