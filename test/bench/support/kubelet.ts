/** What the node says of its pods and images. */
import { eventually, getObject, kubectl } from "../../../scripts/lib/lab/lab.ts";

interface Stats {
  /** When it was measured, in whole seconds. */
  readonly time: string;
  readonly rssBytes?: number;
  readonly usageCoreNanoSeconds?: number;
}

interface Summary {
  readonly pods: readonly {
    readonly podRef: { readonly name: string; readonly namespace: string };
    readonly containers?: readonly { readonly memory?: Stats; readonly cpu?: Stats }[];
  }[];
}

/** What the containers of some pods take. */
export interface Usage {
  /** Resident bytes. */
  readonly resident: number;
  /** Seconds of processor time since they started. */
  readonly processor: number;
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
 * What the containers of a namespace's pods take, by the prefix of the pods' names, measured after now. The kubelet
 * measures every ten seconds or so and answers with what it has, so this waits for all to be newer.
 */
export async function usageOf<P extends string>(
  namespace: string,
  prefixes: readonly P[],
): Promise<Record<P, Usage>> {
  const asked = Date.now();
  return eventually(
    `what the pods of ${namespace} take`,
    async () => {
      const found = await containersOf(namespace);
      const sums = {} as Record<P, Usage>;
      for (const prefix of prefixes) {
        const own = found.filter(({ pod }) => pod.startsWith(prefix));
        const sum = (part: "cpu" | "memory", field: "rssBytes" | "usageCoreNanoSeconds") =>
          own.reduce((total, container) => total + (container[part]?.[field] ?? 0), 0);
        const resident = sum("memory", "rssBytes");
        const isOld = (stats: Stats | undefined) => stats === undefined || Date.parse(stats.time) <= asked;
        if (resident === 0 || own.some(({ memory, cpu }) => isOld(memory) || isOld(cpu))) return undefined;
        sums[prefix] = { resident, processor: sum("cpu", "usageCoreNanoSeconds") / 1e9 };
      }
      return sums;
    },
    90,
  );
}

async function containersOf(namespace: string) {
  const found: { pod: string; memory?: Stats; cpu?: Stats }[] = [];
  for (const { metadata } of await nodes()) {
    const path = `/api/v1/nodes/${metadata.name}/proxy/stats/summary?only_cpu_and_memory=true`;
    const { pods } = JSON.parse(await kubectl(["get", "--raw", path])) as Summary;
    for (const { podRef, containers = [] } of pods) {
      if (podRef.namespace !== namespace) continue;
      for (const container of containers) found.push({ pod: podRef.name, ...container });
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
