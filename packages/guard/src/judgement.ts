/**
 * Every effect of a preview: on data and sessions, of operations, of arguments, of what is not as they say, of what no
 * component made.
 */
import { argumentEffects } from "./arguments/index.ts";
import { namespacesOf } from "./arguments/places.ts";
import type { Bounds } from "./bounds.ts";
import { belongsTo, type Change, kindOf } from "./change.ts";
import type { Effect } from "./effect.ts";
import { foreignEffects, type Ours, passing, type Reachable, waiting } from "./foreign/index.ts";
import { identityEffects } from "./identities.ts";
import { imageEffects } from "./images.ts";
import { type ObjectPair, objectPairs, objectTitle, templateOf } from "./objects.ts";
import { operationEffects } from "./operations.ts";
import { componentOf, type Generated, titleOf, walls } from "./ours/components.ts";
import { type Found, ownership } from "./ours/index.ts";
import { differences } from "./ours/stand-in.ts";
import { providerEffects } from "./providers.ts";
import { readEffects } from "./reads.ts";
import { rules } from "./rules.ts";
import type { NamingStack } from "./stacks.ts";
import { at, listAt, mapAt } from "./values.ts";
import { beyond, neighbours, type Whose, whose } from "./whose.ts";

/** An effect, and on what. */
export type Judged = Effect & {
  /** `DevContainer dev1`, `NetworkPolicy team-a/dev1`. */
  readonly object: string;
  /** The component that it is about, or else the resource, by the logical name. */
  readonly about: string;
};

export interface Judgements {
  readonly effects: readonly Judged[];
  /** URNs of what changes and no component made. */
  readonly foreign: ReadonlySet<string>;
}

export function judgements(
  changes: readonly Change[],
  bounds: Bounds,
  stacks?: readonly NamingStack[],
): Judgements {
  const pairs = objectPairs(changes);
  const owned = ownership(changes);
  const places = whose(pairs, bounds, stacks);
  const namespaces = namespacesOf(pairs, places);
  const found = (of: readonly Change[], judge: (change: Change) => readonly Effect[]) =>
    of.flatMap((change) => judge(change).map((effect) => ({ change, effect })));
  const edited = changes.filter(
    ({ isCustom, type, op, after }) => !isCustom && componentOf(type) && op !== "same" && after,
  );
  const effects = named(pairs, [
    ...rules.flatMap(({ name: rule, check }) =>
      found(changes, (change) => check(change, changes).map((text) => ({ effect: "crosses", rule, text }))),
    ),
    ...found(changes, (change) => operationEffects(change, pairs)),
    ...found(edited, (change) => argumentEffects(change, pairs, bounds, namespaces)),
    ...objectEffects(changes, pairs, bounds, places, owned),
    ...identityEffects(changes),
    ...providerEffects(changes, bounds),
    ...imageEffects(changes, bounds, namespaces.isFirst),
    ...readEffects(changes, pairs, owned.foreign),
  ]);
  return { effects, foreign: owned.foreign };
}

/** Effects of objects that differ from their component's arguments, and of those that no component made. */
export function objectEffects(
  changes: readonly Change[],
  pairs: readonly ObjectPair[],
  bounds: Bounds,
  places = whose(pairs, bounds),
  { found, foreign, made, own } = ownership(changes),
): Found[] {
  const ours = oursIn(
    pairs.filter(({ urn }) => own.has(urn)),
    made,
    places,
  );
  const byUrn = new Map(changes.map((change) => [change.urn, change]));
  const edited = new Set(changes.filter(({ op }) => op !== "same" && op !== "refresh").map(({ urn }) => urn));
  const others = pairs.flatMap((pair) => {
    const change = byUrn.get(pair.urn);
    if (change === undefined) return [];
    const effects = foreign.has(pair.urn)
      ? foreignEffects(pair, ours, bounds, edited.has(pair.urn))
      : !own.has(pair.urn)
        ? waiting(pair, ours)
        : belongsTo(pair, ...walls)
          ? []
          : passing(pair, ours);
    // What a component's object refers to, an argument says.
    const component = byUrn.get(change.parent ?? "") ?? change;
    const reached = foreign.has(pair.urn) ? [] : beyond(pair, places);
    return [
      ...[...effects, ...neighbours(pair, places)].map((effect) => ({ change, effect })),
      ...reached.map((effect) => ({ change: component, effect })),
    ];
  });
  return [...found, ...others];
}

/** Effects with the names by which people know what they are on. */
export function named(pairs: readonly ObjectPair[], found: readonly Found[]): Judged[] {
  const titles = new Map(pairs.map((pair) => [pair.urn, objectTitle(pair)]));
  return found.map(({ change, effect }) => ({
    ...effect,
    object: titles.get(change.urn) ?? change.name,
    about: change.component?.name ?? change.name,
  }));
}

/** @param own objects that components made */
function oursIn(own: readonly ObjectPair[], made: readonly Generated[], whose: Whose): Ours {
  const templates = made.filter(({ template }) => template !== undefined);
  return {
    ...reachable(own),
    news: reachable(own.filter(({ before }) => before === undefined)),
    whose,
    // By what selects them, a Service or a gateway's listeners: a preview shows no pods of a gateway that is not ours.
    wallPods: own
      .filter((pair) => belongsTo(pair, ...walls) && pair.after)
      .map(({ namespace, after, component }) => ({
        namespace,
        labels: mapAt(after, "spec", "selector"),
        of: component && `${kindOf(component)} ${component.name}`,
      }))
      .filter(({ labels: { matchLabels, ...labels } }) => !matchLabels && Object.keys(labels).length > 0),
    injectedInto: (template) => {
      const one = templates.find(({ template: given }) => differences(given, template, false).length === 0);
      return one && new Set([...one.objects.values()].map(titleOf));
    },
  };
}

const claimName = ["persistentVolumeClaim", "claimName"];
const reachable = (own: readonly ObjectPair[]): Reachable => ({
  objects: new Set(own.map(({ groupKind, namespace, name }) => `${groupKind} ${namespace}/${name}`)),
  homes: own.flatMap(({ after, kind, namespace }) =>
    listAt(templateOf(after, kind), "spec", "volumes")
      .filter((volume) => /^(home|persist)$/.test(String(at(volume, "name"))))
      .map((volume) => `core/PersistentVolumeClaim ${namespace}/${at(volume, ...claimName)}`),
  ),
  pods: own.flatMap(({ after, kind, namespace, name }) => {
    const labels = mapAt(templateOf(after, kind), "metadata", "labels");
    const numbered = kind === "StatefulSet" && {
      "statefulset.kubernetes.io/pod-name": `${name}-0`,
      "apps.kubernetes.io/pod-index": "0",
    };
    return Object.keys(labels).length > 0 ? [{ namespace, labels: { ...labels, ...numbered } }] : [];
  }),
});
