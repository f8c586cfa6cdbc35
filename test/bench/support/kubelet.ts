/** What the node says of its pods and images. */
import { getObject, kubectl } from "../../support/lab.ts";

interface Summary {
  readonly pods: readonly {
    readonly podRef: { readonly name: string; readonly namespace: string };
    readonly containers?: readonly { readonly memory?: { readonly rssBytes?: number } }[];
  }[];
}

interface NodeObject {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly images?: readonly { readonly names?: readonly string[]; readonly sizeBytes: number }[];
  };
}

async function nodes(): Promise<readonly NodeObject[]> {
  return (await getObject<{ items: NodeObject[] }>(["nodes"])).items;
}

/** Resident memory of all containers of a namespace's pods whose names begin like this, in bytes, measured now. */
export async function residentBytes(namespace: string, prefix: string): Promise<number> {
  let total = 0;
  for (const { metadata } of await nodes()) {
    // This form measures when it is asked; the full one tells what was last seen.
    const path = `/api/v1/nodes/${metadata.name}/proxy/stats/summary?only_cpu_and_memory=true`;
    const { pods } = JSON.parse(await kubectl(["get", "--raw", path])) as Summary;
    for (const { podRef, containers = [] } of pods) {
      if (podRef.namespace !== namespace || !podRef.name.startsWith(prefix)) continue;
      for (const { memory } of containers) total += memory?.rssBytes ?? 0;
    }
  }
  if (total === 0) throw new Error(`the nodes know no memory of ${namespace}/${prefix}*`);
  return total;
}

/** Bytes of each image as the node counts them, by a name that holds `part`; undefined if it is not there. */
export async function imageBytes(part: string): Promise<number | undefined> {
  for (const { status } of await nodes()) {
    const found = status.images?.find(({ names = [] }) => names.some((name) => name.includes(part)));
    if (found !== undefined) return found.sizeBytes;
  }
  return undefined;
}
