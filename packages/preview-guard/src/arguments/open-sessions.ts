/** Sessions that outlive the keys that opened them: only a new pod ends them. */
import { sshdLabel } from "@drawbridge-iac/manifests";
import { crosses, type Effect, loses } from "../effect.ts";
import { at } from "../finding.ts";
import { templateOf } from "../foreign/template.ts";
import type { ObjectPair } from "../objects.ts";
import type { Judging } from "./judging.ts";

/** The effect of a lost login. A preview does not show whether a session is open, but whether one could go on. */
export function losesLogin(text: string, judging: Omit<Judging, "was" | "is">): Effect {
  const { pairs, bounds } = judging;
  if (pairs.some((pair) => isWorkloadOf(judging, pair) && isAnotherPod(pair))) return loses(text);
  const open = `${text}; open sessions go on until a new sessionsValidFrom replaces the pod`;
  return bounds.openSessions === "refused" ? crosses("session-left-open", open) : loses(open);
}

/** A container's StatefulSet, or whatever has taken the template of an InjectedSshd. */
function isWorkloadOf({ kind, name }: Pick<Judging, "kind" | "name">, pair: ObjectPair): boolean {
  if (kind === "InjectedSshd") {
    return at(templateOf(pair.before, pair.kind), "metadata", "labels", sshdLabel) === name;
  }
  const { component, groupKind } = pair;
  const isOwn = component?.type === `drawbridge:index:${kind}` && component.name === name;
  return isOwn && groupKind === "apps/StatefulSet";
}

/** Whether the template changes, or the workload was or is off: then no earlier session goes on. */
function isAnotherPod({ kind, before, after }: ObjectPair): boolean {
  const isOff = (inputs: ObjectPair["after"]) => inputs === undefined || at(inputs, "spec", "replicas") === 0;
  if (isOff(before) || isOff(after)) return true;
  if (at(after, "spec", "updateStrategy", "type") === "OnDelete") return false;
  return JSON.stringify(templateOf(before, kind)) !== JSON.stringify(templateOf(after, kind));
}
