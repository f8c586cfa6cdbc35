/**
 * A ReadWriteOnce volume can be mounted on one node only, and the scheduler does not see to that. So all pods
 * that mount it carry a label and ask for a node where another such pod runs.
 */
import { type Placed, whenAllKnown, whenKnown } from "../common/placed.ts";
import type { OwnScheduling } from "../common/scheduling.ts";
import { nodeGroupLabel } from "./names.ts";

interface Grouped {
  readonly name: Placed<string>;
  readonly accessMode?: Placed<string> | undefined;
  readonly nodeGroup?: Placed<string | undefined> | undefined;
}

/** The group of a storage's pods; undefined where many nodes may mount it. */
export function nodeGroupOf({ name, accessMode, nodeGroup }: Grouped): Placed<string | undefined> {
  return whenAllKnown([accessMode, nodeGroup, name], ([mode, group, standard]) =>
    mode === "ReadWriteMany" ? undefined : (group ?? standard),
  );
}

/** Label and affinity of a pod in a group; nothing without one. */
export function nodeGroupScheduling(group: Placed<string | undefined>): {
  /** A label of which nothing comes is left out. */
  labels: Record<string, Placed<string>>;
  podAffinity: OwnScheduling["podAffinity"];
} {
  return {
    labels: group === undefined ? {} : { [nodeGroupLabel]: group as Placed<string> },
    podAffinity: whenKnown(group, (known) => (known === undefined ? undefined : sharedNode(known))),
  };
}

function sharedNode(group: string) {
  return {
    // A pod that matches its own term may go anywhere while there is no other: the first one chooses, so
    // nothing waits for something that waits for it.
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { [nodeGroupLabel]: group } }, topologyKey: "kubernetes.io/hostname" },
    ],
  };
}
