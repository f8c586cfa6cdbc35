import type { Known } from "../kit/input.ts";
import { planPod } from "../kubernetes/args.ts";
import { publicImages } from "../kubernetes/images.ts";
import { objectLabels, selectorLabels } from "../kubernetes/labels.ts";
import { podResources } from "../kubernetes/resources.ts";
import { defaultResources, type StorageProxyParsed } from "./args.ts";

/** A proxy with every default, name and port decided. */
export type StorageProxyPlan = ReturnType<typeof planStorageProxy>;

/** One of which all is known that its configuration holds. */
export type KnownStorageProxyPlan = Known<StorageProxyPlan, "namespace" | "port" | "dnsName">;

/** @param logicalName the component's name, the default for the objects' name */
export function planStorageProxy(logicalName: string, args: StorageProxyParsed) {
  const name = args.name ?? logicalName;
  return {
    ...args,
    ...planPod(args.pod),
    name,
    namespace: args.namespace ?? name,
    port: args.port ?? (args.tls === undefined ? 80 : 443),
    image: args.image ?? publicImages.envoy,
    resources: podResources(args.resources, defaultResources),
    scheme: args.tls === undefined ? ("http" as const) : ("https" as const),
    labels: objectLabels("storage-proxy", name),
    selector: selectorLabels("storage-proxy", name),
  };
}
