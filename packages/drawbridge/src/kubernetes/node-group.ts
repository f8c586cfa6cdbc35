/**
 * A ReadWriteOnce volume can be mounted on one node only, and the scheduler does not see to that. So all pods
 * that mount it carry a label and ask for a node where another such pod runs.
 */

import { type Input, isDeferred, known, orElse, whenAllKnown, whenKnown } from "../kit/input.ts";
import { prefix } from "../kubernetes/labels.ts";
import type { OwnScheduling } from "../kubernetes/scheduling.ts";

const nodeGroupLabel = `${prefix}/node-group`;

interface Grouped {
  readonly name: Input<string>;
  readonly accessMode?: Input<string> | undefined;
  readonly colocationGroup?: Input<string | undefined> | undefined;
}

/** The group of a storage's pods; undefined where many nodes may mount it. */
export function nodeGroupOf({ name, accessMode, colocationGroup }: Grouped): Input<string | undefined> {
  if (isDeferred(accessMode)) {
    return whenAllKnown([accessMode, colocationGroup, name], ([mode, group, standard]) =>
      mode === "ReadWriteMany" ? undefined : (group ?? standard),
    );
  }
  return known(accessMode) === "ReadWriteMany" ? undefined : orElse(colocationGroup, name);
}

/** The group of pods that mount all of these, and whether they have one for certain, whatever it is called. */
export function sharedGroup(storages: readonly Grouped[]): NodeGroup {
  const grouped = storages.filter(({ accessMode }) => known(accessMode) !== "ReadWriteMany");
  const [first] = grouped;
  if (first === undefined) return { group: undefined, isCertain: false };
  if (!isDeferred(first.accessMode)) return { group: nodeGroupOf(first), isCertain: true };
  const all = whenAllKnown(grouped.map(nodeGroupOf), (known) => known.find((group) => group !== undefined));
  return { group: all, isCertain: false };
}

interface NodeGroup {
  readonly group: Input<string | undefined>;
  readonly isCertain: boolean;
}

/** Label and affinity of a pod in a group; nothing without one. */
export function nodeGroupScheduling({ group, isCertain }: NodeGroup): {
  /** Pulumi leaves out a label whose value turns out to be undefined. */
  labels: Record<string, Input<string>>;
  podAffinity: OwnScheduling["podAffinity"];
} {
  return {
    labels: group === undefined ? {} : { [nodeGroupLabel]: group as Input<string> },
    podAffinity: isCertain
      ? sharedNode(group as Input<string>)
      : whenKnown(group, (known) => (known === undefined ? undefined : sharedNode(known))),
  };
}

function sharedNode(group: Input<string>) {
  return {
    // A pod that matches its own term may go anywhere while there is no other: the first one chooses, so
    // nothing waits for something that waits for it.
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { [nodeGroupLabel]: group } }, topologyKey: "kubernetes.io/hostname" },
    ],
  };
}
