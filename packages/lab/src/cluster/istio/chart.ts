import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached } from "../../cache.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Progress } from "../../progress.ts";
import { fingerprint } from "../../tools/module-files.ts";
import { run } from "../../tools/run.ts";
import { clusterDomain } from "../addresses.ts";
import { objectsOf } from "../programs/manifests.ts";

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
    // What the chart asks for by default is half of a small machine.
    resources: { requests: { cpu: "10m", memory: "128Mi" } },
    env: {
      // As the platform's page asks: a gateway gets the Services that its routes name, and no others.
      PILOT_FILTER_GATEWAY_CLUSTER_CONFIG: "true",
      // The lab's proxy is upstream Envoy, which lacks the extensions that these two would configure.
      PILOT_ENABLE_METADATA_EXCHANGE: "false",
      PILOT_ENABLE_ALPN_FILTER: "false",
    },
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

/** The charts' objects in the two parts. */
export function inParts(objects: readonly KubeObject[]): IstioObjects {
  const isDefinition = ({ kind }: KubeObject) => kind === "CustomResourceDefinition";
  return { definitions: objects.filter(isDefinition), others: objects.filter((one) => !isDefinition(one)) };
}

/**
 * The file with Istio's objects (JSON of `IstioObjects`), rendered once per version and kept in the cache.
 * @param charts path of the program that fills the charts
 * @param image reference of the proxy's image
 */
export async function istioObjects(charts: string, image: string, progress: Progress): Promise<string> {
  const values = JSON.stringify(chartValues(image));
  const folder = await cached({
    path: `istio/${fingerprint([values, charts])}`,
    fill: (folder) =>
      progress.step("Istio's charts: rendering", async () => {
        const objects = inParts(objectsOf(await run(charts, [values])));
        await writeFile(join(folder, "objects.json"), JSON.stringify(objects));
      }),
  });
  return join(folder, "objects.json");
}
