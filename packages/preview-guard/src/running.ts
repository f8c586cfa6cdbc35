/** What a change does to what runs: pods that restart, sessions that end. */
import type { Change } from "./change.ts";
import { at, ends, kindOf } from "./finding.ts";
import { listAt } from "./objects.ts";
import { joined } from "./report-text.ts";
import { isListener } from "./rules/ssh-listener-changed.ts";

export function describeRunning(changes: readonly Change[]): string[] {
  return [...sessions(changes), ...restarts(changes), ...switches(changes), ...removals(changes)];
}

/** Every session through a listener that changes ends when its drain time is over. */
function sessions(changes: readonly Change[]): string[] {
  const gateways = new Set(changes.filter(isListener).map(({ component }) => component?.name ?? ""));
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

function restarts(changes: readonly Change[]): string[] {
  const of = (kind: string) => changes.filter((change) => kindOf(change) === kind && isRestarted(change));
  const sets = of("StatefulSet").map(nameOf);
  const deployments = of("Deployment").map(nameOf);
  const sandboxes = changes
    .filter((change) => change.type.startsWith("kubernetes:") && isLeftAlone(change))
    .map(nameOf);
  return [
    ...(sets.length === 0 ? [] : [`pods that restart, homes kept: ${joined(sets)}`]),
    ...(deployments.length === 0 ? [] : [`pods that are replaced one by one: ${joined(deployments)}`]),
    ...(sandboxes.length === 0
      ? []
      : [`pods that stay as they are until somebody deletes them: ${joined(sandboxes)}`]),
  ];
}

/** agent-sandbox makes a deleted pod anew by the template, and restarts none that runs. */
function isLeftAlone({ op, before, after }: Change): boolean {
  const template = (inputs: unknown) => JSON.stringify(at(inputs, "spec", "podTemplate"));
  const [was, is] = [template(before), template(after)];
  return op === "update" && was !== undefined && is !== undefined && was !== is;
}

/** `running: false` and back: the container stays, its pod does not. */
function switches(changes: readonly Change[]): string[] {
  const sets = changes.filter((change) => kindOf(change) === "StatefulSet" && change.op !== "create");
  const of = (switched: (change: Change) => boolean) => sets.filter(switched).map(nameOf);
  const off = of(({ before, after }) => before !== undefined && !isOff(before) && isOff(after));
  const on = of(({ before, after }) => after !== undefined && isOff(before) && !isOff(after));
  return [
    ...(off.length === 0 ? [] : [`pods that end until running is true again, homes kept: ${joined(off)}`]),
    ...(on.length === 0 ? [] : [`pods that start again, with their homes and host keys: ${joined(on)}`]),
  ];
}

const isOff = (inputs: unknown) => at(inputs, "spec", "replicas") === 0;

function removals(changes: readonly Change[]): string[] {
  const ended = changes
    .filter((change) => kindOf(change) === "StatefulSet" && change.op === "delete" && !isOff(change.before))
    .map(nameOf);
  return ended.length === 0 ? [] : [`pods that end for good: ${joined(ended)}`];
}

const nameOf = ({ component, name }: Change) => component?.name ?? name;

/** Another template, or another workload in its place. */
export function isRestarted(change: Change): boolean {
  if (change.op === "create" || change.op === "delete" || change.op === "same") return false;
  if (ends(change)) return change.op !== "delete-replaced" && change.op !== "discard-replaced";
  // What is switched off has no pod that could restart.
  if (isOff(change.before) || isOff(change.after)) return false;
  const template = (inputs: unknown) => JSON.stringify(at(inputs, "spec", "template"));
  return template(change.before) !== template(change.after);
}
