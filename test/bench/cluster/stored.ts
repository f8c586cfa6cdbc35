/** What a container's objects take in the API server's storage. */
import type { KubeApi } from "../support/api.ts";

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

interface Item {
  readonly metadata: { readonly name: string };
}

export interface Stored {
  readonly objects: number;
  readonly bytes: number;
  /** Of those, events, which the API server forgets after an hour. */
  readonly events: { readonly objects: number; readonly bytes: number };
}

/** Other addresses of what is counted already, or of what nobody stores. */
const leftOut = /^\/apis\/(events|metrics)\.k8s\.io\//;

/** All that a namespace holds with `part` in its name: what was declared for it, and what the controllers made of it. */
export async function storedIn(api: KubeApi, namespace: string, part: string): Promise<Stored> {
  const sum = { objects: 0, bytes: 0, events: { objects: 0, bytes: 0 } };
  for (const { group, name } of await resources(api)) {
    const collection = `${group}/namespaces/${namespace}/${name}`;
    const { items } = JSON.parse(await api.get(collection)) as { items: readonly Item[] };
    for (const { metadata } of items.filter((item) => item.metadata.name.includes(part))) {
      const bytes = await api.storedBytes(`${collection}/${metadata.name}`);
      for (const counted of name === "events" ? [sum, sum.events] : [sum]) {
        counted.objects += 1;
        counted.bytes += bytes;
      }
    }
  }
  return sum;
}

/** What can be listed in a namespace, in each group's preferred version. */
async function resources(api: KubeApi): Promise<{ group: string; name: string }[]> {
  const { groups } = JSON.parse(await api.get("/apis")) as {
    groups: readonly { preferredVersion: { groupVersion: string } }[];
  };
  const addresses = ["/api/v1", ...groups.map((group) => `/apis/${group.preferredVersion.groupVersion}`)];
  const found: { group: string; name: string }[] = [];
  for (const group of addresses.filter((address) => !leftOut.test(`${address}/`))) {
    const { resources: all } = JSON.parse(await api.get(group)) as { resources: readonly Resource[] };
    const own = all.filter(({ name, namespaced, verbs }) => {
      return namespaced && !name.includes("/") && verbs.includes("list") && verbs.includes("get");
    });
    found.push(...own.map(({ name }) => ({ group, name })));
  }
  return found;
}
