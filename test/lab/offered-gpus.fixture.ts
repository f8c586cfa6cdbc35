/**
 * Fake GPUs of the cluster's first node: Kubernetes counts and hands them out like a device plugin's, and the pods that
 * ask for them run. Inside the pods there is none.
 * https://kubernetes.io/docs/tasks/administer-cluster/extended-resource-node/
 */
import { kubectl } from "../../scripts/lib/lab/lab.ts";

/** What a node offers: how many of each resource, and which product it is labelled with. */
export interface OfferedGpus {
  readonly product: string;
  readonly resources: Readonly<Record<string, number>>;
}

const productLabel = "nvidia.com/gpu.product";

export async function offerGpus({ product, resources }: OfferedGpus): Promise<void> {
  const counts = Object.entries(resources).map(([name, count]) => [name, String(count)]);
  await patch({ label: product, resources: Object.fromEntries(counts) });
}

export async function withdrawGpus({ resources }: OfferedGpus): Promise<void> {
  const gone = Object.keys(resources).map((name) => [name, null]);
  await patch({ label: null, resources: Object.fromEntries(gone) });
}

async function patch({ label, resources }: { label: string | null; resources: unknown }): Promise<void> {
  const [node] = (await kubectl(["get", "nodes", "-o", "name"])).trim().split("\n");
  if (node === undefined) throw new Error("the cluster has no node");
  const merge = (change: unknown, ...args: string[]) =>
    kubectl(["patch", node, "--type=merge", "-p", JSON.stringify(change), ...args]);
  await merge({ metadata: { labels: { [productLabel]: label } } });
  await merge({ status: { capacity: resources, allocatable: resources } }, "--subresource=status");
}
