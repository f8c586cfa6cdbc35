/** What the node says of its pods and images. */
import { eventually, getObject, kubectl } from "../../support/lab.ts";

interface Memory {
  /** When it was measured. */
  readonly time: string;
  readonly rssBytes?: number;
}

interface Summary {
  readonly pods: readonly {
    readonly podRef: { readonly name: string; readonly namespace: string };
    readonly containers?: readonly { readonly memory?: Memory }[];
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

/**
 * Resident memory in bytes of the containers of a namespace's pods, by the prefix of the pods' names, measured after now.
 * The kubelet measures every ten seconds or so and answers with what it has, so this waits for all to be newer.
 */
export async function residentBytes<P extends string>(
  namespace: string,
  prefixes: readonly P[],
): Promise<Record<P, number>> {
  const asked = Date.now();
  return eventually(
    `the memory of ${namespace}`,
    async () => {
      const found = await memories(namespace);
      const sums = {} as Record<P, number>;
      for (const prefix of prefixes) {
        const own = found.filter(({ pod }) => pod.startsWith(prefix));
        const total = own.reduce((sum, { memory }) => sum + (memory.rssBytes ?? 0), 0);
        // Seconds are all that the kubelet's times tell.
        if (total === 0 || own.some(({ memory }) => Date.parse(memory.time) <= asked)) return undefined;
        sums[prefix] = total;
      }
      return sums;
    },
    90,
  );
}

async function memories(namespace: string): Promise<{ pod: string; memory: Memory }[]> {
  const found: { pod: string; memory: Memory }[] = [];
  for (const { metadata } of await nodes()) {
    const path = `/api/v1/nodes/${metadata.name}/proxy/stats/summary?only_cpu_and_memory=true`;
    const { pods } = JSON.parse(await kubectl(["get", "--raw", path])) as Summary;
    for (const { podRef, containers = [] } of pods) {
      if (podRef.namespace !== namespace) continue;
      for (const { memory } of containers) if (memory !== undefined) found.push({ pod: podRef.name, memory });
    }
  }
  return found;
}

/** Bytes of each image as the node counts them, by a name that holds `part`; undefined if it is not there. */
export async function imageBytes(part: string): Promise<number | undefined> {
  for (const { status } of await nodes()) {
    const found = status.images?.find(({ names = [] }) => names.some((name) => name.includes(part)));
    if (found !== undefined) return found.sizeBytes;
  }
  return undefined;
}
