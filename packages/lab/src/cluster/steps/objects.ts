import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Applier } from "../api/apply.ts";
import { type ApiClient, ApiError } from "../api/client.ts";
import { dnsObjects } from "../dns/objects.ts";
import type { IstioObjects } from "../istio/chart.ts";
import type { Plan } from "../plan.ts";
import { storageClass } from "../storage/class.ts";
import type { Step } from "../supervisor/graph.ts";

/** The Kubernetes objects that the cluster needs for itself. */
export function objectSteps(plan: Plan, api: ApiClient): Step[] {
  const applier = new Applier(api);
  const istio = async () => JSON.parse(await readFile(plan.istio, "utf8")) as IstioObjects;
  const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return [
    {
      name: "dns objects",
      after: ["kube-apiserver"],
      run: () => systemNamespace(api).then(() => applier.applyAll(dnsObjects)),
    },
    {
      name: "storage class",
      after: ["kube-apiserver"],
      run: () => applier.applyAll([storageClass]),
    },
    {
      name: "istio definitions",
      after: ["kube-apiserver"],
      run: async () => applier.applyAll((await istio()).definitions),
    },
    {
      name: "istio objects",
      after: ["kube-apiserver"],
      run: async () => {
        await applier.applyAll([namespace("istio-system")]);
        await applier.applyAll((await istio()).others);
      },
    },
  ];
}

/** The API server makes kube-system itself, a moment after it says that it is ready. */
async function systemNamespace(api: ApiClient): Promise<void> {
  for (;;) {
    try {
      await api.get("/api/v1/namespaces/kube-system");
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      await sleep(50);
    }
  }
}
