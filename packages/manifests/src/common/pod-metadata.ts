/** Labels and annotations of one's own on a component's pods: for queues, costs, cloud identities. */
import { z } from "zod";
import { arg, group } from "./arg.ts";
import { isOwnKey } from "./patch.ts";
import type { Placed } from "./placed.ts";
import { placed, type RaiseFault } from "./schema.ts";
import { labelValue, qualifiedName } from "./shapes.ts";

export const podMetadata = group(
  "PodMetadataArgs",
  "Labels and annotations of one's own on a component's pods.",
  {
    podLabels: arg(
      z.record(qualifiedName, placed(labelValue)).default({}),
      "Further labels of the pods: for queues, costs, a cloud's identities. Those by which drawbridge " +
        "finds its pods, and Istio's, are refused. A change restarts the pods.",
      { effect: ["restart"], example: '{ "kueue.x-k8s.io/queue-name": "team-a" }' },
    ),
    podAnnotations: arg(
      z.record(qualifiedName, placed(z.string())).default({}),
      "Further annotations of the pods. A change restarts the pods.",
      { effect: ["restart"] },
    ),
  },
);

/**
 * They come last in a pod's metadata: the check leaves nothing of the component's for them to take the place of, but for
 * where metrics are read (`prometheus.io/`).
 */
export interface PodMetadata {
  readonly podLabels: Readonly<Record<string, Placed<string>>>;
  readonly podAnnotations: Readonly<Record<string, Placed<string>>>;
}

// What Istio does to a pod is decided by the component: most of these would put a proxy in the way of long sessions.
const istios = /(^|[./])istio\.io\//;
const ownAnnotations = [
  "kubectl.kubernetes.io/default-container",
  "cluster-autoscaler.kubernetes.io/safe-to-evict",
  "karpenter.sh/do-not-disrupt",
];

export function checkPodMetadata(metadata: Partial<PodMetadata>, fault: RaiseFault): void {
  for (const field of ["podLabels", "podAnnotations"] as const) {
    for (const key of Object.keys(metadata[field] ?? {})) {
      if (isOwnKey(key) || istios.test(key) || ownAnnotations.includes(key)) {
        fault([field, key], "pod-metadata-reserved");
      }
    }
  }
}
