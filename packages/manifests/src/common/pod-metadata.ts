import { z } from "zod";
import { arg, group } from "./arg.ts";
import type { Placed } from "./placed.ts";
import { placed } from "./schema.ts";
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
 * They come last in a pod's metadata. A check refuses the keys that the component sets itself, but for those that say
 * where metrics are read (`prometheus.io/`).
 */
export interface PodMetadata {
  readonly podLabels: Readonly<Record<string, Placed<string>>>;
  readonly podAnnotations: Readonly<Record<string, Placed<string>>>;
}
