/**
 * A ReadWriteOnce volume can be mounted on one node only, and the scheduler does not see to that. So all pods
 * that mount it carry a label and ask for a node where another such pod runs.
 */
import type { OwnScheduling } from "../common/scheduling.ts";
import { nodeGroupLabel } from "./names.ts";

/** The group of a storage's pods; undefined where many nodes may mount it. */
export function nodeGroupOf(storage: {
  readonly name: string;
  readonly accessMode?: string | undefined;
  readonly nodeGroup?: string | undefined;
}): string | undefined {
  return storage.accessMode === "ReadWriteMany" ? undefined : (storage.nodeGroup ?? storage.name);
}

/** Label and affinity of a pod in a group; nothing without one. */
export function nodeGroupScheduling(group: string | undefined): {
  labels: Record<string, string>;
  podAffinity: OwnScheduling["podAffinity"];
} {
  if (group === undefined) return { labels: {}, podAffinity: undefined };
  const labels = { [nodeGroupLabel]: group };
  return {
    labels,
    podAffinity: {
      // A pod that matches its own term may go anywhere while there is no other: the first one chooses, so
      // nothing waits for something that waits for it.
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: labels }, topologyKey: "kubernetes.io/hostname" },
      ],
    },
  };
}
