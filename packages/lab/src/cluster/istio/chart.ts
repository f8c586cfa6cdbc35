import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { cached } from "../../cache.ts";
import type { JsonMap, KubeObject } from "../../kube/object.ts";
import type { Progress } from "../../progress.ts";
import { fingerprint } from "../../tools/module-files.ts";
import { run } from "../../tools/run.ts";
import { addresses, clusterDomain } from "../addresses.ts";

/** Istio's objects in two parts: the second needs the first. */
export interface IstioObjects {
  definitions: KubeObject[];
  others: KubeObject[];
}

/**
 * Values for Istio's own charts.
 * @param image reference of the proxy's image, for example `drawbridge.local/proxyv2:1`
 */
export function chartValues(image: string): object {
  const [, hub, tag] = /^(.*)\/proxyv2:([^:/]+)$/.exec(image) ?? [];
  if (hub === undefined || tag === undefined) {
    throw new Error(
      `the proxy image is ${image}; Istio's charts need a reference of the form HUB/proxyv2:TAG`,
    );
  }
  return {
    defaultRevision: "default",
    telemetry: { enabled: false },
    autoscaleEnabled: false,
    global: {
      hub,
      tag,
      // There is no registry; the default for the images that injection fills in is Always.
      imagePullPolicy: "IfNotPresent",
      proxy: { clusterDomain },
    },
    // Upstream Envoy lacks the extension behind Istio's metrics and refuses every listener that names it.
    meshConfig: { defaultProviders: { metrics: [] }, enablePrometheusMerge: false },
  };
}

/** What of the charts a lab takes: istiod itself is a process of the machine, and so are its endpoints. */
export function forLab(manifests: readonly KubeObject[]): IstioObjects {
  const taken = manifests.filter(({ kind }) => !["Deployment", "PodDisruptionBudget"].includes(kind ?? ""));
  const definition = ({ kind }: KubeObject) => kind === "CustomResourceDefinition";
  return {
    definitions: taken.filter(definition),
    others: [...taken.filter((manifest) => !definition(manifest)).map(withoutSelector), istiodEndpoints],
  };
}

function withoutSelector(manifest: KubeObject): KubeObject {
  if (manifest.kind !== "Service" || manifest.metadata.name !== "istiod") return manifest;
  const { selector: _, ...spec } = manifest.spec as JsonMap;
  return { ...manifest, spec };
}

const istiodEndpoints: KubeObject = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: {
    name: "istiod-lab",
    namespace: "istio-system",
    labels: { "kubernetes.io/service-name": "istiod" },
  },
  addressType: "IPv4",
  endpoints: [{ addresses: [addresses.controlPlane] }],
  ports: [
    { name: "grpc-xds", port: 15010, protocol: "TCP" },
    { name: "https-dns", port: 15012, protocol: "TCP" },
    { name: "https-webhook", port: 15017, protocol: "TCP" },
    { name: "http-monitoring", port: 15014, protocol: "TCP" },
  ],
};

/**
 * The file with Istio's objects (JSON of `IstioObjects`), rendered once per version and kept in the cache.
 * @param charts path of the program that fills the charts
 * @param image reference of the proxy's image
 */
export async function istioObjects(charts: string, image: string, progress: Progress): Promise<string> {
  const values = JSON.stringify(chartValues(image));
  // What `forLab` makes of the charts decides as much as the charts do, whose version is in the program's path.
  const rules = await readFile(new URL(import.meta.url), "utf8");
  const folder = await cached({
    path: `istio/${fingerprint([values, rules, charts])}`,
    fill: (folder) =>
      progress.step("Istio's charts: rendering", async () => {
        const rendered = parseAllDocuments(await run(charts, [values]))
          .map((document) => document.toJS() as KubeObject | null)
          .filter((manifest) => manifest !== null);
        await writeFile(join(folder, "objects.json"), JSON.stringify(forLab(rendered)));
      }),
  });
  return join(folder, "objects.json");
}
