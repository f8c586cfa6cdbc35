/** What a change does to what runs: pods that restart, sessions that end. */
import { type Change, ends, kindOf } from "./change.ts";
import { joined } from "./report-text.ts";
import { changesListener, losing } from "./rules.ts";
import { at, isEqual, listAt } from "./values.ts";

export function describeRunning(changes: readonly Change[]): string[] {
  const pods = (what: string, kind: string, isSo: (change: Change) => boolean) => {
    const names = changes.filter((change) => kindOf(change) === kind && isSo(change)).map(nameOf);
    return names.length === 0 ? [] : [`pods that ${what}: ${joined(names)}`];
  };
  const loses = losing(changes);
  const isKept = (isSo: (change: Change) => boolean) => (change: Change) => isSo(change) && !loses(change);
  const isAnother = (change: Change) =>
    [isRestarted, isSwitchedOff, isSwitchedOn].some((isSo) => isSo(change)) && loses(change);
  return [
    ...sessions(changes),
    ...pods("restart, homes kept", "StatefulSet", isKept(isRestarted)),
    ...pods("lose a volume or their host key", "StatefulSet", isAnother),
    ...pods("are replaced one by one", "Deployment", isRestarted),
    ...pods("stay as they are until someone deletes them", "Sandbox", isLeftAlone),
    // `running: false` and back: the container stays, its pod does not.
    ...pods("end until running is true again, homes kept", "StatefulSet", isKept(isSwitchedOff)),
    ...pods("start again, with their homes and host keys", "StatefulSet", isKept(isSwitchedOn)),
    ...pods("end for good", "StatefulSet", ({ op, before }) => op === "delete" && !isOff(before)),
  ];
}

/** Every session through a listener that changes ends when its drain time is over. */
function sessions(changes: readonly Change[]): string[] {
  const gateways = new Set(changes.filter(changesListener).map(({ component }) => component?.name ?? ""));
  return [...gateways].map((name) => {
    const routes = changes.filter(
      (change) => kindOf(change) === "VirtualService" && change.before !== undefined && bindsTo(change, name),
    ).length;
    const seen =
      routes === 0 ? "its routes are in other stacks" : `${routes} of its routes are in this preview`;
    return `sessions through the gateway ${name} end after its drain time (${seen}); do it at night, with a longer drainSeconds set beforehand, or move people to a second gateway first`;
  });
}

function bindsTo(change: Change, gateway: string): boolean {
  return listAt(change.before, "spec", "gateways").some((name) => String(name).split("/").at(-1) === gateway);
}

/** agent-sandbox makes a deleted pod anew by the template, and restarts none that runs. */
function isLeftAlone({ op, before, after }: Change): boolean {
  const [was, is] = [before, after].map((inputs) => at(inputs, "spec", "podTemplate"));
  return op === "update" && was !== undefined && is !== undefined && !isEqual(was, is);
}

const isOff = (inputs: unknown) => at(inputs, "spec", "replicas") === 0;
const isSwitchedOff = ({ op, before, after }: Change) =>
  op !== "create" && before !== undefined && !isOff(before) && isOff(after);
const isSwitchedOn = ({ op, before, after }: Change) =>
  op !== "create" && after !== undefined && isOff(before) && !isOff(after);

const nameOf = ({ component, name }: Change) => component?.name ?? name;

/** Another template, or another workload in its place. */
function isRestarted(change: Change): boolean {
  if (change.op === "create" || change.op === "delete" || change.op === "same") return false;
  if (ends(change)) return change.op !== "delete-replaced" && change.op !== "discard-replaced";
  // What is switched off has no pod that could restart.
  if (isOff(change.before) || isOff(change.after)) return false;
  return !isEqual(at(change.before, "spec", "template"), at(change.after, "spec", "template"));
}
