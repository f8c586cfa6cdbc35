/** Sessions that outlive the keys that opened them: only a new pod ends them. */
import { sshdLabel } from "@drawbridge-iac/manifests";
import { at, withSshd } from "../finding.ts";
import { isOf, type ObjectPair } from "../objects.ts";
import type { AccessContext } from "./context.ts";
import { crosses, type Effect, loses } from "./effect.ts";

/** The effect of a lost login. A preview does not show whether a session is open, but whether one could go on. */
export function losesLogin(text: string, keys: ObjectPair, { pairs, bounds }: AccessContext): Effect {
  if (!isOf(keys, ...withSshd) || pairs.some((pair) => isWorkloadOf(keys, pair) && isAnotherPod(pair))) {
    return loses(text);
  }
  const open = `${text}; open sessions go on until a new sessionsValidFrom replaces the pod`;
  return bounds.openSessions === "refused" ? crosses("session-left-open", open) : loses(open);
}

/** A container's StatefulSet, or whatever has taken the template of an InjectedSshd. */
function isWorkloadOf(keys: ObjectPair, { component, groupKind, namespace, before }: ObjectPair): boolean {
  const isOwn = component?.type === keys.component?.type && component?.name === keys.component?.name;
  if (isOf(keys, "DevContainer")) return isOwn && groupKind === "apps/StatefulSet";
  const label = at(templateOf(before), "metadata", "labels", sshdLabel);
  return namespace === keys.namespace && label === keys.component?.name;
}

/** Whether the template changes, or the workload was or is off: then no earlier session goes on. */
function isAnotherPod({ before, after }: ObjectPair): boolean {
  const isOff = (inputs: ObjectPair["after"]) => inputs === undefined || at(inputs, "spec", "replicas") === 0;
  if (isOff(before) || isOff(after)) return true;
  if (at(after, "spec", "updateStrategy", "type") === "OnDelete") return false;
  return JSON.stringify(templateOf(before)) !== JSON.stringify(templateOf(after));
}

/** The pod template of a workload or of a Sandbox. */
const templateOf = (inputs: ObjectPair["after"]) =>
  at(inputs, "spec", "template") ?? at(inputs, "spec", "podTemplate");
