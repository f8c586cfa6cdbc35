/** Objects that no component made: harmless by a closed list, or refused under a name by which the platform accepts them. */

import type { AccessRule } from "@drawbridge-iac/drawbridge/src/kit/guard";
import { prefix, sshdLabel } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import type { Bounds } from "../bounds.ts";
import { crosses, type Effect, exactly, loses, unknown } from "../effect.ts";
import { type ObjectPair, references, templateOf } from "../objects.ts";
import { at, hasHidden, type Inputs, isEqual, listAt, mapAt } from "../values.ts";
import { elsewhere, unknownReferences, type Whose } from "../whose.ts";
import { enforced, givers, harmless, ordinary } from "./kinds.ts";

/** Objects of ours, as others get at them. */
export interface Reachable {
  /** `core/Secret team-a/dev1-host-key` */
  readonly objects: ReadonlySet<string>;
  /** Claims of containers, also those that were adopted. */
  readonly homes: readonly string[];
  /** Labels of pods, those of which Kubernetes makes the values too. */
  readonly pods: readonly { readonly namespace: string; readonly labels: Inputs }[];
}

/** What there is of ours in the preview. */
export interface Ours extends Reachable {
  /** What was not there before: foreign objects that were could wait for it. */
  readonly news: Reachable;
  readonly whose: Whose;
  /** Labels of the platform's pods, to which Services lead and which the walls of containers let in. */
  readonly wallPods: readonly {
    readonly namespace: string;
    readonly labels: Inputs;
    readonly of: string | undefined;
  }[];
  /** The names that a pod may refer to which has exactly the template that an InjectedSshd gave out. */
  readonly injectedInto: (template: unknown) => ReadonlySet<string> | undefined;
}

/** The rules under which the platform accepts objects of these kinds that no component made. */
const rules: Readonly<Record<string, AccessRule>> = {
  NetworkPolicy: "network-wall",
  Role: "cluster-rights",
  ClusterRole: "cluster-rights",
  RoleBinding: "cluster-rights",
  ClusterRoleBinding: "cluster-rights",
  ServiceAccount: "cluster-rights",
  VirtualService: "route-wall",
  Service: "route-wall",
  EndpointSlice: "route-wall",
  Endpoints: "route-wall",
  Gateway: "gateway-opened",
  EnvoyFilter: "gateway-opened",
  AuthorizationPolicy: "gateway-opened",
  Namespace: "pod-security-lowered",
  PersistentVolumeClaim: "volume-borrowed",
  ValidatingAdmissionPolicy: "wall-removed",
  ValidatingAdmissionPolicyBinding: "wall-removed",
};
/** What an InjectedSshd adds to the metadata of a template. */
const ofTemplate = new RegExp(`emplate\\.metadata\\.(labels\\.${sshdLabel}\\b|annotations\\.${prefix}/)`);
const podKinds = /^(apps|batch|agents\.x-k8s\.io)\/|\/Pod$/;

/** @param isEdited whether Pulumi does something to it, and not only looks */
export function foreignEffects(pair: ObjectPair, ours: Ours, bounds: Bounds, isEdited: boolean): Effect[] {
  const { groupKind, kind, type, before, after } = pair;
  // What is hidden may be another, although it looks the same.
  const isHidden = isEdited && hasHidden(after);
  const waits = waiting(pair, ours);
  if (isEqual(before, after) && !isHidden) return waits;
  if (groupKind === undefined)
    return bounds.packages.has(type.split(":")[0] ?? "")
      ? []
      : [unknown("unknown-kind", `no component made it, and what a ${type} gives is not known`)];
  if (after === undefined) {
    if (groupKind === "core/Namespace")
      return [crosses("wall-removed", "this Namespace is removed, and every home and storage in it")];
    if (harmless[groupKind] !== undefined || givers.has(groupKind)) return [loses("it is removed")];
    const rule = kind === "NetworkPolicy" ? "network-wall" : "wall-removed";
    return [crosses(rule, `this ${kind} is removed, and what it kept away comes in`)];
  }
  const disguised = disguise(pair);
  if (disguised !== undefined) return [disguised];
  // What was there already was judged when it came.
  const known = before === undefined ? [] : faultsOf({ ...pair, after: before }, ours, bounds);
  const isUnseen = ({ effect }: Effect) =>
    isHidden && (effect === "unknown" || harmless[groupKind] === undefined);
  const faults = faultsOf(pair, ours, bounds);
  return [
    ...waits,
    ...faults.filter((fault) => isUnseen(fault) || !known.some(({ text }) => text === fault.text)),
  ];
}

const ruleOf = ({ groupKind = "", kind }: ObjectPair): AccessRule =>
  podKinds.test(groupKind) ? "pod-privileges" : (rules[kind] ?? "foreign-object");

function faultsOf(pair: ObjectPair, ours: Ours, bounds: Bounds): Effect[] {
  const { groupKind = "", kind, after = {} } = pair;
  const rule = ruleOf(pair);
  const shape = (isNamed(pair, bounds) ? ordinary : harmless)[groupKind];
  if (shape === undefined)
    return [crosses(rule, exactly(`no component made this ${kind}, and what it opens is not judged`, after))];
  const injected = ours.injectedInto(templateOf(after, kind));
  const faults = shape(after, "", bounds).filter(
    (fault) => injected === undefined || !ofTemplate.test(fault),
  );
  const isHidden = (fault: string) => fault.includes("not known before");
  return [
    ...faults.map((fault) =>
      isHidden(fault)
        ? unknown("unknown-value", fault)
        : crosses(rule, `no component made it, and it has ${fault}`),
    ),
    ...placeEffects(pair, ours),
    ...reaching(pair, ours, ours),
  ];
}

/** What was there already, and gets at what components make now. */
export const waiting = (pair: ObjectPair, ours: Ours): Effect[] =>
  pair.before && pair.after ? reaching(pair, ours.news, ours) : [];

/** Labels that others put on a pod, whose values a preview does not show. */
const isAddedLabel = /^(controller-revision-hash|pod-template-hash)$|(^|[./])istio\.io\//;

/** By which names and selectors it gets at what components made. */
function reaching(pair: ObjectPair, { objects, homes, pods }: Reachable, { injectedInto }: Ours): Effect[] {
  const { groupKind, kind, namespace, name, after } = pair;
  const crossing = (text: string) => crosses(ruleOf(pair), text);
  const isInjected = (title: string) => injectedInto(templateOf(after, kind))?.has(title) === true;
  const selector = mapAt(after, "spec", "selector");
  const demanded = Object.entries("matchLabels" in selector ? mapAt(selector.matchLabels) : selector);
  const isOfOurs =
    demanded.length > 0 &&
    pods.some(
      ({ namespace: place, labels }) =>
        place === namespace &&
        demanded.every(([key, value]) => labels[key] === value || isAddedLabel.test(key)),
    );
  return [
    ...[
      ...references(after, namespace).filter((title) => objects.has(title)),
      ...claims(pair, objects),
      ...claims(pair, homes),
    ]
      .filter((title) => !isInjected(title))
      .map((title) => crossing(`no component made it, and it refers to ${title}, which a component made`)),
    ...(objects.has(`${groupKind} ${namespace}/${name}`)
      ? [crossing("a component has an object of this name")]
      : []),
    ...(isOfOurs ? [crossing("it selects pods of a component")] : []),
  ];
}

/**
 * Claims under the names of its templates, `<template>-<name>` and what begins so, and of its pods' own volumes,
 * `<pod>-<volume>`: it takes those that are there, or others take its own.
 */
function claims({ namespace, name, after, kind }: ObjectPair, titles: Iterable<string>): string[] {
  const all = [...titles];
  const found = (isIts: (claim: string) => boolean) =>
    all.filter((title) => {
      const place = `core/PersistentVolumeClaim ${namespace}/`;
      return title.startsWith(place) && isIts(title.slice(place.length));
    });
  const made = listAt(after, "spec", "volumeClaimTemplates").flatMap((template) =>
    found((claim) => `${claim}-`.startsWith(`${at(template, "metadata", "name")}-${name}-`)),
  );
  const volumes = listAt(templateOf(after, kind), "spec", "volumes").filter((one) => at(one, "ephemeral"));
  const ofPods = volumes.flatMap((one) =>
    found((claim) => claim.startsWith(name) && claim.endsWith(`-${at(one, "name")}`)),
  );
  return [...new Set([...made, ...ofPods])];
}

/** The provider makes what `kind` says, whatever the resource is called in Pulumi. */
function disguise({ groupKind, kind, after, type }: ObjectPair): Effect | undefined {
  const [said, version] = [at(after, "kind"), at(after, "apiVersion")];
  if (said === undefined) return undefined;
  const group = String(version).includes("/") ? String(version).split("/")[0] : "core";
  return said === kind && (version === undefined || groupKind === `${group}/${kind}`)
    ? undefined
    : unknown("unknown-kind", `it says that it is a ${version} ${said}, and is registered as ${type}`);
}

/** Pods that pass for the platform's. */
export function passing({ kind, namespace, before, after }: ObjectPair, { wallPods }: Ours): Effect[] {
  const passedFor = (inputs: Inputs | undefined) => {
    const own = mapAt(templateOf(inputs, kind), "metadata", "labels");
    return wallPods.find(
      ({ namespace: place, labels }) =>
        place === namespace && Object.entries(labels).every(([key, value]) => own[key] === value),
    );
  };
  const other = passedFor(after);
  return other !== undefined && !passedFor(before)
    ? [crosses("pod-privileges", `its pods have the labels of ${other.of}'s, which walls let in`)]
    : [];
}

/** Where it is, and what it looks for there: all of it must be in the preview, or be this stack's. */
function placeEffects(pair: ObjectPair, ours: Ours): Effect[] {
  const { groupKind, kind, namespace, name, before, after } = pair;
  const { whose } = ours;
  const isPlace = groupKind === "core/Namespace";
  const said = (text: string) => crosses(ruleOf(pair), `no component made it, and ${text}`);
  const away = elsewhere(after, kind).map(said);
  const place = isPlace ? name : namespace;
  if (whose.isOwn(place)) return [...passing(pair, ours), ...away];
  const selector = at(after, "spec", "selector");
  return [
    ...passing(pair, ours),
    ...away,
    said(`its namespace ${place || "(none)"} is none of this stack's`),
    // Of what is there the place is known.
    ...(before === undefined ? [] : unknownReferences(after, namespace, whose).map(said)),
    ...(before === undefined || selector === undefined
      ? []
      : [said(exactly("its selector may find what is not shown", selector))]),
  ];
}

/** Whether the bounds name its place: what they hold there need not be more than ordinary. */
function isNamed({ groupKind, namespace, name, before }: ObjectPair, { namespaces }: Bounds): boolean {
  if (groupKind !== "core/Namespace") return namespaces.has(namespace);
  const level = at(before, "metadata", "labels", enforced);
  return namespaces.has(name) && level === undefined;
}
