import type { KubeClient } from "../../kube/client.ts";
import { balanceServices } from "../balancer/controller.ts";
import { makeCgroup } from "../host/cgroups.ts";
import type { Plan } from "../plan.ts";
import { enforcePolicies } from "../policy/controller.ts";
import { cniPlugins, containerd } from "../programs/containerd.ts";
import { etcd, kubeApiServer, kubeControllerManager, kubeScheduler } from "../programs/control-plane.ts";
import { coredns } from "../programs/coredns.ts";
import { istiod } from "../programs/istiod.ts";
import { kubelet, kubeProxy } from "../programs/node.ts";
import { network } from "../steps/network.ts";
import { objectSteps } from "../steps/objects.ts";
import { provisionVolumes } from "../storage/controller.ts";
import type { Step } from "./graph.ts";
import type { Program } from "./keeper.ts";

/** All that makes up an instance. Each part names what it comes after; everything else starts side by side. */
export function instanceSteps(plan: Plan, api: KubeClient): { programs: Program[]; others: Step[] } {
  return {
    programs: [
      etcd(plan),
      kubeApiServer(plan, api),
      kubeControllerManager(plan, api),
      kubeScheduler(plan),
      containerd(plan),
      kubelet(plan, api),
      kubeProxy(plan),
      coredns(plan),
      istiod(plan, api),
    ],
    others: [
      network,
      { name: "cgroups", after: [], run: () => makeCgroup(plan.layout.cgroup) },
      cniPlugins(plan),
      ...objectSteps(plan, api),
      {
        name: "controllers",
        after: ["kube-apiserver"],
        run: async () => {
          balanceServices(api);
          enforcePolicies(api);
          provisionVolumes(api, plan.layout.volumes);
        },
      },
    ],
  };
}
