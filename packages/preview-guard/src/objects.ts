/** Kubernetes objects as a preview's changes describe them: one pair of before and after for each resource. */

import { isMap } from "@drawbridge-iac/manifests";
import type { Change } from "./change.ts";
import { at } from "./finding.ts";

export type Inputs = Readonly<Record<string, unknown>>;

/** One object, before and after the change; undefined where it is not there. */
export interface ObjectPair {
  readonly urn: string;
  /** API group and kind, `apps/StatefulSet`; the core group is `core`. Undefined for what is no Kubernetes object. */
  readonly groupKind: string | undefined;
  readonly kind: string;
  /** The resource's type token. */
  readonly type: string;
  /** Physical name and namespace; the logical name where the physical one is not known. */
  readonly name: string;
  readonly namespace: string;
  readonly before: Inputs | undefined;
  readonly after: Inputs | undefined;
  readonly component: Change["component"];
  readonly isCustom: boolean;
}

const goesAway = new Set(["delete", "discard", "delete-replaced", "discard-replaced"]);
const comes = new Set(["create", "import"]);

/** Reading somebody else's object changes nothing of it. */
const reads = new Set(["read", "read-replacement", "discard", "discard-replaced"]);

/** Steps of one resource come together; one that gets another name or namespace is two objects. */
export function objectPairs(changes: readonly Change[]): ObjectPair[] {
  const changed = changes.filter(({ op }) => !reads.has(op));
  return [...Map.groupBy(changed, ({ urn }) => urn).values()].map(toPair).flatMap(apart);
}

function apart(pair: ObjectPair): ObjectPair[] {
  const { before, after, groupKind } = pair;
  const place = (inputs: Inputs | undefined) => {
    const { name, namespace } = mapAt(inputs, "metadata");
    return { name: text(name) ?? pair.name, namespace: text(namespace) ?? "" };
  };
  const [was, is] = [place(before), place(after)];
  const isMoved = was.name !== is.name || was.namespace !== is.namespace;
  if (groupKind === undefined || before === undefined || after === undefined || !isMoved) return [pair];
  return [
    { ...pair, ...was, after: undefined },
    { ...pair, ...is, before: undefined },
  ];
}

function toPair(steps: readonly Change[]): ObjectPair {
  const first = steps[0] as Change;
  const before = steps.find((step) => !comes.has(step.op) && step.before !== undefined)?.before;
  const last = steps.filter((step) => step.op !== "delete-replaced" && step.op !== "discard-replaced").at(-1);
  // What Pulumi only forgets stays in the cluster as it is.
  const after =
    last === undefined || goesAway.has(last.op) ? (first.retained ? before : undefined) : last.after;
  const metadata = at(after ?? before, "metadata");
  const [, group, kind] = /^kubernetes:([^:/]+)\/[^:/]+:([^:/]+)$/.exec(first.type) ?? [];
  return {
    urn: first.urn,
    groupKind: group === undefined ? undefined : `${group}/${kind}`,
    kind: kind ?? first.type,
    type: first.type,
    name: text(at(metadata, "name")) ?? first.name,
    namespace: text(at(metadata, "namespace")) ?? "",
    before,
    after,
    component: first.component,
    isCustom: first.isCustom,
  };
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

/** How findings and acceptances name an object: `NetworkPolicy team-a/dev1`. */
export function objectTitle({ kind, namespace, name }: ObjectPair): string {
  return `${kind.split(":").at(-1)} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

export function isChanged({ before, after }: ObjectPair): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}

/** A list inside inputs; empty where there is none. */
export function listAt(inputs: unknown, ...path: (string | number)[]): unknown[] {
  const value = at(inputs, ...path);
  return Array.isArray(value) ? value : [];
}

/** A map inside inputs; empty where there is none. */
export function mapAt(inputs: unknown, ...path: (string | number)[]): Inputs {
  const value = at(inputs, ...path);
  return isMap(value) ? value : {};
}
