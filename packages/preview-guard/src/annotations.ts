/** Annotations by which nobody opens anything. Whatever else there is may be read by a network, a runtime, a cloud or a tool. */
import type { Bounds } from "./bounds.ts";

const harmless = [
  // Plain words are the author's own; some runtimes read names with dots and no prefix.
  /^[\w-]+$/,
  // A new value starts pods anew; what kubectl shows first.
  /^(checksum|kubectl\.kubernetes\.io)\//,
  // Where the pod's own metrics are.
  /^prometheus\.io\/(scrape|port|path|scheme)$/,
  // That a node's autoscaler leaves the pod where it is.
  /^(cluster-autoscaler\.kubernetes\.io\/safe-to-evict|karpenter\.sh\/do-not-disrupt)$/,
  // For what Pulumi waits.
  /^pulumi\.com\/(skipAwait|timeoutSeconds|waitFor)$/,
];

/** @param bounds of the platform, which knows its own prefixes */
export const isHarmless = (name: string, { annotations }: Bounds) =>
  harmless.some((known) => known.test(name)) ||
  annotations.has(name) ||
  annotations.has(name.split("/")[0] ?? "");
