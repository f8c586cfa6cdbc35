import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeClient } from "../../kube/client.ts";
import { isNotFound } from "../../kube/error.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { IstioObjects } from "../istio/chart.ts";
import type { Plan } from "../plan.ts";
import { dnsObjects } from "../programs/coredns.ts";
import { networkClass, storageClass } from "../storage/volume.ts";
import type { Step } from "../supervisor/graph.ts";

/** The Kubernetes objects that the cluster needs for itself. */
export function objectSteps(plan: Plan, api: KubeClient): Step[] {
  // All at the same time; those that others depend on (namespaces, definitions) go in an earlier call.
  const apply = async (objects: readonly KubeObject[]) => {
    await Promise.all(objects.map((object) => api.apply(object)));
  };
  const istio = async () => JSON.parse(await readFile(plan.istio, "utf8")) as IstioObjects;
  const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const after = ["kube-apiserver"];
  const classes = plan.nodes.length === 1 ? [storageClass] : [storageClass, networkClass];
  return [
    { name: "dns objects", after, run: () => systemNamespace(api).then(() => apply(dnsObjects)) },
    { name: "storage class", after, run: () => apply(classes) },
    { name: "istio definitions", after, run: async () => apply((await istio()).definitions) },
    {
      name: "istio objects",
      after,
      run: async () => {
        await apply([namespace("istio-system")]);
        await apply((await istio()).others);
      },
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
