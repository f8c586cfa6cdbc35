/** What happens to each environment (a component and its children), in words a reviewer understands. */
import { at, ends, isReplaced, kindOf } from "./finding.ts";
import type { Change } from "./preview.ts";

/** One component of ours, or `other resources` for what belongs to none. */
export interface Environment {
  readonly title: string;
  readonly lines: readonly string[];
}

const ours = /^drawbridge:index:(\w+)$/;

export function describeEnvironments(changes: readonly Change[]): Environment[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.op === "same" || change.op === "read" || change.type.startsWith("pulumi:")) continue;
    const title = titleOf(change);
    groups.set(title, [...(groups.get(title) ?? []), change]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, members]) => ({ title, lines: describe(members) }))
    .filter((environment) => environment.lines.length > 0);
}

function titleOf(change: Change): string {
  const own = ours.exec(change.type)?.[1];
  if (own !== undefined) return `${own} ${change.name}`;
  const parent = ours.exec(change.component?.type ?? "")?.[1];
  return parent === undefined ? "other resources" : `${parent} ${change.component?.name}`;
}

function describe(members: readonly Change[]): string[] {
  const component = members.find((change) => ours.test(change.type));
  if (component?.op === "create") return ["is new"];
  if (component?.op === "delete") return [removal(members)];
  return [
    ...new Set(
      members.flatMap((change) => (ours.test(change.type) ? inputWords(change) : childWords(change))),
    ),
  ];
}

function removal(members: readonly Change[]): string {
  const homes = members.filter((change) => kindOf(change) === "PersistentVolumeClaim");
  const kept = homes.length > 0 && homes.every((home) => home.retained);
  return kept ? "is removed; its volumes are kept" : "is removed";
}

/** Changed arguments of a component by their paths, values in words; secrets show as Pulumi shows them. */
function inputWords(change: Change): string[] {
  return differences(change.before, change.after)
    .filter(({ path }) => !path.startsWith("authorizedKeys") && !path.startsWith("hostKey"))
    .map(({ path, before, after }) => `${path}: ${show(before)} → ${show(after)}`);
}

function childWords(change: Change): string[] {
  if (isReplaced(change)) return [`${kindOf(change)} ${change.name} is replaced`];
  if (ends(change)) return [`${kindOf(change)} ${change.name} is removed`];
  if (change.op === "create") return [`${kindOf(change)} ${change.name} is new`];
  if (kindOf(change) === "StatefulSet" || kindOf(change) === "Deployment") {
    const same =
      JSON.stringify(at(change.before, "spec", "template")) ===
      JSON.stringify(at(change.after, "spec", "template"));
    return same
      ? []
      : [kindOf(change) === "StatefulSet" ? "restarts the pod, home kept" : "restarts its pods one by one"];
  }
  return [];
}

interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

function differences(before: unknown, after: unknown, path = ""): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isMap(before) || !isMap(after)) return [{ path, before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key) => differences(before[key], after[key], path === "" ? key : `${path}.${key}`));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (value === undefined) return "(default)";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}
