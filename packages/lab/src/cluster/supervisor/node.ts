import type { KubeClient } from "../../kube/client.ts";
import { makeCgroup } from "../host/cgroups.ts";
import { lookEveryMs, type NodePlan } from "../nodes/plan.ts";
import type { Plan } from "../plan.ts";
import { enforcePolicies } from "../policy/controller.ts";
import { cniPlugins, containerd } from "../programs/containerd.ts";
import { kubelet, kubeProxy } from "../programs/node.ts";
import { network } from "../steps/network.ts";
import type { Parts } from "./parts.ts";

/** The parts that every node has. */
export function nodeParts(plan: Plan, node: NodePlan, api: KubeClient): Parts {
  return {
    programs: [containerd(plan, node), kubelet(plan, node, api), kubeProxy(plan, node)],
    others: [
      network(node, plan.nodes),
      {
        name: "cgroups",
        after: [],
        run: async () => {
          await makeCgroup(plan.layout.cgroup);
          await makeCgroup(node.layout.cgroup);
        },
      },
      cniPlugins(plan, node),
      {
        name: "network policies",
        after: ["kube-apiserver"],
        run: async () => enforcePolicies(api, lookEveryMs(node)),
      },
    ],
  };
}
