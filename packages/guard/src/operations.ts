/** What Pulumi does to resources, whatever their fields say: components that go, and another provider. */
import { sshdLabel } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { type Change, ends, isDefaultProvider, kindOf } from "./change.ts";
import { isSameCluster, strangeKubeconfig } from "./cluster.ts";
import { crosses, type Effect, exactly, loses, unknown } from "./effect.ts";
import { type ObjectPair, templateOf } from "./objects.ts";
import { componentOf } from "./ours/components.ts";
import { at, hasHidden } from "./values.ts";

export function operationEffects(change: Change, pairs: readonly ObjectPair[]): Effect[] {
  const { type, op, isCustom, before, after, retained, options } = change;
  // Pulumi leaves out a state that it cannot write, and says nothing.
  const isBare = after === undefined ? /^(create|import|update)$/.test(op) : op === "update" && !before;
  if (isBare) return [unknown("unknown-value", "the preview does not show its state")];
  if (retained && after !== undefined && options?.kept === false)
    return [crosses("foreign-change", "it would no longer be kept when it is deleted")];
  if (change.isProviderChanged)
    return [crosses("provider-changed", "another provider has it, which may lead to another cluster")];
  if (
    type.startsWith("pulumi:providers:") &&
    before !== undefined &&
    !["same", "read", "delete"].includes(op) &&
    !(isUpdated(change) && isSameCluster(before, after, ownProviders(pairs)))
  )
    return [crosses("provider-changed", "it may lead to another cluster: read its difference")];
  if (type === kubernetes && before === undefined && after !== undefined) return news(change, after, pairs);
  return !isCustom && ends(change) && componentOf(type) !== undefined ? removed(change, pairs) : [];
}

const kubernetes = "pulumi:providers:kubernetes";

/** The settings before of the Kubernetes providers that the program makes; Pulumi makes the default one. */
const ownProviders = (pairs: readonly ObjectPair[]) =>
  pairs
    .filter(
      ({ type, name, before }) => type === kubernetes && before !== undefined && !isDefaultProvider(name),
    )
    .map(({ before }) => before);

/** Whether Pulumi itself sees no other cluster, and no setting that may have changed is hidden. */
const isUpdated = ({ type, op, after }: Change) =>
  type === kubernetes && op === "update" && !hasHidden(after);

/** A new one leads to a cluster to which one of the stack's led, or is the first. */
function news(
  { type, name, parent }: Change,
  after: NonNullable<Change["after"]>,
  pairs: readonly ObjectPair[],
): Effect[] {
  const had = pairs.filter((pair) => pair.type === type && pair.before !== undefined);
  // Hidden settings may be any, but for those of the stack: Pulumi makes its default provider anew for each version.
  const isNext = (pair: ObjectPair) =>
    isDefaultProvider(name) &&
    (parent ?? "") === "" &&
    isDefaultProvider(pair.name) &&
    pair.after === undefined;
  const isKnown = (pair: ObjectPair) =>
    isSameCluster(pair.before, after, ownProviders(pairs)) && (!hasHidden(after) || isNext(pair));
  if (had.some(isKnown)) return [];
  if (had.length > 0)
    return [
      crosses("provider-changed", "a new provider with other settings, which may lead to another cluster"),
    ];
  const { kubeconfig } = after;
  switch (strangeKubeconfig(after)) {
    case "hidden":
      return [unknown("unknown-value", "its kubeconfig is not shown, and may start a program")];
    case "a program":
      return [crosses("provider-changed", exactly("its kubeconfig starts a program", kubeconfig))];
    case "a file":
      return [
        crosses("provider-changed", exactly("its kubeconfig is a file of the program's own", kubeconfig)),
      ];
    default:
      return [];
  }
}

function removed({ type, name, before }: Change, pairs: readonly ObjectPair[]): Effect[] {
  const kind = kindOf({ type });
  if (componentOf(type)?.isWall === true)
    return [crosses("wall-removed", `the ${kind} is removed, with the walls that it brings`)];
  const policy = at(before, "networkPolicy") ?? "none";
  return policy !== "none" && !losesSshd(name, pairs)
    ? [crosses("network-wall", `the wall before the pods of ${name} is taken down, and they stay`)]
    : [loses(`${name} is removed, with every way to it`)];
}

/** Whether the pods, in the same preview, lose the sshd that the wall was for: they are as they were before it. */
function losesSshd(name: string, pairs: readonly ObjectPair[]): boolean {
  const has = (inputs: ObjectPair["after"], { kind }: ObjectPair) =>
    at(templateOf(inputs, kind), "metadata", "labels", sshdLabel) === name;
  const behind = pairs.filter((pair) => has(pair.before, pair));
  return behind.length > 0 && behind.every((pair) => !has(pair.after, pair));
}
