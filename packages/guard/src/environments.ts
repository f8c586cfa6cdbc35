/** Changed arguments of each component, in words for a reviewer. */
import { argumentChanges } from "./arguments/rows.ts";
import { type Change, ends, isReplaced, kindOf } from "./change.ts";
import { componentOf } from "./ours/components.ts";
import { byName, joined } from "./report-text.ts";
import { losing } from "./rules.ts";
import { peopleType } from "./stacks.ts";
import { at, mapAt } from "./values.ts";

/** Components of ours that change alike, or `other resources` for what belongs to none. */
export interface Environment {
  readonly title: string;
  readonly lines: readonly string[];
}

const ours = /^drawbridge:index:(\w+)$/;

/** @param foreign URNs of what no component made: it stands by itself, wherever it is */
export function describeEnvironments(
  changes: readonly Change[],
  foreign: ReadonlySet<string>,
): Environment[] {
  const told = changes
    // People are reported with the stale stacks.
    .filter(
      ({ op, type }) => op !== "same" && op !== "read" && !type.startsWith("pulumi:") && type !== peopleType,
    )
    .map((one) =>
      foreign.has(one.urn) && ours.test(one.component?.type ?? "") ? { ...one, component: undefined } : one,
    );
  const loses = losing(changes);
  const described = [...Map.groupBy(told, titleOf)]
    .sort(([a], [b]) => byName(a, b))
    .map(([title, members]) => ({ title, lines: describe(members, loses) }))
    .filter(({ lines }) => lines.length > 0);
  return together(described);
}

/** Environments of one kind with the same lines share a heading. */
function together(environments: readonly Environment[]): Environment[] {
  const kindIn = (title: string) => title.slice(0, title.indexOf(" "));
  const alike = Map.groupBy(environments, ({ title, lines }) => JSON.stringify([kindIn(title), lines]));
  return [...alike.values()].map((group) => {
    const [{ title, lines } = { title: "", lines: [] }] = group;
    const kind = kindIn(title);
    return { title: `${kind} ${joined(group.map((one) => one.title.slice(kind.length + 1)))}`, lines };
  });
}

function titleOf(change: Change): string {
  const own = ours.exec(change.type)?.[1];
  if (own !== undefined) return `${own} ${change.name}`;
  const parent = ours.exec(change.component?.type ?? "")?.[1];
  return parent === undefined ? "other resources" : `${parent} ${change.component?.name}`;
}

function describe(members: readonly Change[], loses: ReturnType<typeof losing>): string[] {
  const component = members.find((change) => ours.test(change.type));
  if (component?.op === "create") return ["is new"];
  if (component?.op === "delete") return [removal(members, loses)];
  return [
    ...new Set(
      members.flatMap((change) =>
        ours.test(change.type) ? inputWords(change, members) : childWords(change),
      ),
    ),
  ];
}

function removal(members: readonly Change[], loses: ReturnType<typeof losing>): string {
  const homes = members.filter((change) => kindOf(change) === "PersistentVolumeClaim");
  const kept = homes.length > 0 && homes.every((home) => home.retained && !loses(home));
  return kept ? "is removed; its volumes are kept" : "is removed";
}

/** Changed arguments of a component by their paths, values in words; secrets show as Pulumi shows them. */
function inputWords({ type, before, after }: Change, members: readonly Change[]): string[] {
  const schema = componentOf(type)?.args;
  if (schema === undefined) return [];
  const [was, is] = [before, after].map((inputs) => at(inputs, "library", "imageRegistry"));
  const registry = { path: "drawbridge:imageRegistry", was, is };
  const changes = [...argumentChanges(schema, before, after), ...(was === is ? [] : [registry])];
  // A group that comes or goes is one line.
  const isWithin = (path: string) => changes.some((one) => path.startsWith(`${one.path}.`));
  return changes
    .filter(({ path }) => !/^(authorizedKeys|ssh\.userCa|browse\.credentials)/.test(path) && !isWithin(path))
    .sort((a, b) => byName(a.path, b.path))
    .map(({ path, was, is }) => {
      const [old, now] = [
        was ?? effectiveValue(path, members, "before"),
        is ?? effectiveValue(path, members, "after"),
      ];
      return `${path}: ${show(old, now)} → ${show(now, old)}`;
    });
}

function childWords(change: Change): string[] {
  const { name, op } = change;
  if (isReplaced(change)) return [`${kindOf(change)} ${name} is replaced`];
  // A component's own objects follow from its arguments.
  if (change.component !== undefined) return [];
  if (ends(change)) return [`${kindOf(change)} ${name} is removed`];
  return op === "create" ? [`${kindOf(change)} ${name} is new`] : [`${kindOf(change)} ${name} changes`];
}

/** @param other what it is beside */
function show(value: unknown, other: unknown): string {
  if (value === undefined) return typeof other === "object" ? "none" : "(default)";
  if (Array.isArray(value) && value.length === 0) return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const line = text.replace(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}

const pod = ["spec", "template", "spec"];
// The user's own container is the first.
const container = [...pod, "containers", 0];
const claim = ["spec", "resources", "requests", "storage"];

/**
 * The object's kind, or the end of its logical name, and the value's path in it. Only arguments whose value is worth
 * showing where it is left out: a new argument needs no row.
 */
const places: Readonly<Record<string, readonly [of: RegExp, ...path: (string | number)[]]>> = {
  "home.size": [/^PersistentVolumeClaim .*-home$/, ...claim],
  "persist.size": [/^PersistentVolumeClaim .*-persist$/, ...claim],
  size: [/^PersistentVolumeClaim .*-claim$/, ...claim],
  "home.storageClassName": [/^PersistentVolumeClaim .*-home$/, "spec", "storageClassName"],
  image: [/^StatefulSet /, ...container, "image"],
  imagePullPolicy: [/^StatefulSet /, ...container, "imagePullPolicy"],
  "resources.cpu": [/^StatefulSet /, ...container, "resources", "requests", "cpu"],
  "resources.requests.cpu": [/^StatefulSet /, ...container, "resources", "requests", "cpu"],
  "resources.limits.cpu": [/^StatefulSet /, ...container, "resources", "limits", "cpu"],
  "resources.memory": [/^StatefulSet /, ...container, "resources", "limits", "memory"],
  "resources.limits.memory": [/^StatefulSet /, ...container, "resources", "limits", "memory"],
  "resources.gpu.count": [/^StatefulSet /, ...container, "resources", "limits"],
  "pod.terminationGracePeriodSeconds": [
    /^(StatefulSet|Deployment) /,
    ...pod,
    "terminationGracePeriodSeconds",
  ],
  replicas: [/^Deployment /, "spec", "replicas"],
  "loadBalancer.sourceRanges": [/^Service /, "spec", "loadBalancerSourceRanges"],
};

/**
 * The value of an argument that is left out, read from the objects made of it.
 * @param members the component and its children, as far as they change
 */
function effectiveValue(path: string, members: readonly Change[], side: "before" | "after"): unknown {
  const [of, ...place] = places[path] ?? [];
  const object = members.find((change) => of?.test(`${kindOf(change)} ${change.name}`))?.[side];
  if (path !== "resources.gpu.count" || object === undefined) return at(object, ...place);
  // Resources with a maker's name before them are devices.
  return Object.entries(mapAt(object, ...place)).find(([name]) => name.includes("/"))?.[1] ?? 0;
}
