import type { KubeClient } from "../../kube/client.ts";
import { balanceServices } from "../balancer/controller.ts";
import { sharedNodes } from "../nodes/plan.ts";
import type { Plan } from "../plan.ts";
import { etcd, kubeApiServer, kubeControllerManager, kubeScheduler } from "../programs/control-plane.ts";
import { coredns } from "../programs/coredns.ts";
import { istiod } from "../programs/istiod.ts";
import { objectSteps } from "../steps/objects.ts";
import { provisionVolumes } from "../storage/controller.ts";
import type { Parts } from "./parts.ts";

/** The parts that a cluster has once, and not on each node. */
export function controlPlaneParts(plan: Plan, api: KubeClient): Parts {
  return {
    programs: [
      etcd(plan),
      kubeApiServer(plan, api),
      kubeControllerManager(plan, api),
      kubeScheduler(plan),
      coredns(plan),
      istiod(plan, api),
    ],
    others: [
      ...objectSteps(plan, api),
      {
        name: "controllers",
        after: ["kube-apiserver"],
        run: async () => {
          balanceServices(api);
          provisionVolumes(api, plan, sharedNodes(plan.nodes));
        },
      },
    ],
  };
}
