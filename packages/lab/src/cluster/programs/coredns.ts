import { Resolver } from "node:dns/promises";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached } from "../../cache.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Progress } from "../../progress.ts";
import { moduleSource } from "../../tools/go.ts";
import { fingerprint, readModuleFile } from "../../tools/module-files.ts";
import { addresses, clusterDomain } from "../addresses.ts";
import { objectsOf } from "./manifests.ts";

const manifest = "cluster/addons/dns/coredns/coredns.yaml.in";

/** Names of the cluster come from its API; any other name does not exist, since an instance has no way out. */
// Two blocks, since CoreDNS asks `template` before `kubernetes` within one.
const corefile = `${clusterDomain}:53 in-addr.arpa:53 ip6.arpa:53 {
  errors
  health
  ready
  kubernetes ${clusterDomain} in-addr.arpa ip6.arpa {
    pods insecure
  }
}
.:53 {
  errors
  template IN ANY . {
    rcode NXDOMAIN
  }
}
`;

/** Kubernetes' own manifest of CoreDNS with the lab's names, addresses, image and Corefile. */
export function corednsObjects(text: string, image: string): KubeObject[] {
  const filled = text
    .replace("dns_server", addresses.dnsService)
    .replace("dns_memory_limit", "170Mi")
    .replace(/image: .*/, `image: ${image}`)
    // How soon another pod is asked once one is ready.
    .replace("readinessProbe:", "readinessProbe:\n          periodSeconds: 1");
  return objectsOf(filled).map((object) =>
    object.kind === "ConfigMap" ? { ...object, data: { Corefile: corefile } } : object,
  );
}

/** The file with the objects of cluster DNS, made once per version and kept in the cache. */
export async function dnsObjects(image: string, progress: Progress): Promise<string> {
  const rules = await readFile(new URL(import.meta.url), "utf8");
  const folder = await cached({
    path: `coredns/${fingerprint([readModuleFile("shared", "go.sum"), rules, image])}`,
    fill: async (folder) => {
      const source = await moduleSource("shared", "k8s.io/kubernetes", progress);
      const objects = corednsObjects(await readFile(join(source, manifest), "utf8"), image);
      await writeFile(join(folder, "objects.json"), JSON.stringify(objects));
    },
  });
  return join(folder, "objects.json");
}

/** Whether names are answered at the Service's address. */
export async function dnsAnswers(): Promise<boolean> {
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([addresses.dnsService]);
  return (await resolver.resolve4(`kubernetes.default.svc.${clusterDomain}`)).length > 0;
}
