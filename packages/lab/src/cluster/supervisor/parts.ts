import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeClient } from "../../kube/client.ts";
import { isNotFound } from "../../kube/error.ts";
import type { KubeObject } from "../../kube/object.ts";
import { makeCgroup } from "../host/cgroups.ts";
import type { IstioObjects } from "../istio/chart.ts";
import { istiodJudges } from "../istio/webhooks.ts";
import { lookEveryMs, type NodePlan, sharedNodes, stepSeconds } from "../nodes/plan.ts";
import { network } from "../nodes/wires.ts";
import type { Plan } from "../plan.ts";
import { cniPlugins, containerd } from "../programs/containerd.ts";
import { etcd, kubeApiServer, kubeControllerManager, kubeScheduler } from "../programs/control-plane.ts";
import { dnsAnswers } from "../programs/coredns.ts";
import { metallbObjects } from "../programs/metallb.ts";
import { kubelet, kubeProxy } from "../programs/node.ts";
import { networkPolicies, policyObjects, policyRules } from "../programs/policies.ts";
import { provisionVolumes } from "../storage/controller.ts";
import { networkClass, storageClass } from "../storage/volume.ts";
import type { Step } from "./graph.ts";
import type { Program } from "./keeper.ts";
import { until } from "./probes.ts";

/** Programs that are kept running, and what else has to be done once. */
export interface Parts {
  programs: Program[];
  others: Step[];
}

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

/** The parts that every node has. */
function nodeParts(plan: Plan, node: NodePlan, api: KubeClient): Parts {
  return {
    programs: [
      containerd(plan, node),
      kubelet(plan, node, api),
      kubeProxy(plan, node),
      networkPolicies(plan, node),
    ],
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
      policyRules,
    ],
  };
}

/** The parts that a cluster has once, and not on each node. */
function controlPlaneParts(plan: Plan, api: KubeClient): Parts {
  return {
    programs: [etcd(plan), kubeApiServer(plan, api), kubeControllerManager(plan, api), kubeScheduler(plan)],
    others: [
      ...objectSteps(plan, api),
      {
        name: "controllers",
        after: ["kube-apiserver"],
        run: async () => provisionVolumes(api, plan, sharedNodes(plan.nodes)),
      },
    ],
  };
}

/** The Kubernetes objects that the cluster needs for itself. */
function objectSteps(plan: Plan, api: KubeClient): Step[] {
  // All at the same time; those that others depend on (namespaces, definitions) go in an earlier call.
  const apply = async (objects: readonly KubeObject[]) => {
    await Promise.all(objects.map((object) => api.apply(object)));
  };
  const read = async (file: string) => JSON.parse(await readFile(file, "utf8"));
  const istio = async () => (await read(plan.istio)) as IstioObjects;
  const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const after = ["kube-apiserver"];
  const classes = plan.nodes.length === 1 ? [storageClass] : [storageClass, networkClass];
  return [
    {
      name: "dns objects",
      after,
      run: async () => {
        await systemNamespace(api);
        await apply(await read(plan.dns));
      },
    },
    { name: "coredns", after: ["dns objects"], run: () => until(dnsAnswers) },
    {
      name: "policy objects",
      after,
      run: async () => {
        await systemNamespace(api);
        await apply(await policyObjects(plan));
      },
    },
    { name: "storage class", after, run: () => apply(classes) },
    {
      name: "metallb objects",
      after,
      run: async () => {
        const [definitions = [], others = [], pools = []] = await metallbObjects(plan);
        await apply(definitions);
        await apply(others);
        // A definition is served a moment after it is there.
        await until(() => apply(pools).then(() => true));
      },
    },
    { name: "istio definitions", after, run: async () => apply((await istio()).definitions) },
    {
      name: "istio objects",
      after,
      run: async () => {
        await apply([namespace("istio-system")]);
        await apply((await istio()).others);
      },
    },
    // Without the definitions istiod would take its webhooks for tried.
    {
      name: "istiod",
      after: ["istio definitions", "istio objects"],
      run: () => until(() => istiodJudges(api)),
    },
  ];
}

/** The API server makes kube-system itself, a moment after it says that it is ready. */
async function systemNamespace(api: KubeClient): Promise<void> {
  for (;;) {
    try {
      await api.get({ apiVersion: "v1", kind: "Namespace", name: "kube-system" });
      return;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await sleep(50);
    }
  }
}
