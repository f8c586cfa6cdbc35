/**
 * Whose the namespaces are: what a preview does not show may be another stack's. Only in a namespace that the bounds, or
 * a stack's file, say is this stack's is there nothing else.
 */
import type { Bounds } from "./bounds.ts";
import { belongsTo, isOurs, kindOf, urnName, urnStack } from "./change.ts";
import { crosses, type Effect, unknown } from "./effect.ts";
import { toleratesCluster } from "./foreign/pod.ts";
import { type ObjectPair, templateOf, unshown } from "./objects.ts";
import { classesIn, componentOf } from "./ours/components.ts";
import type { NamingStack } from "./stacks.ts";
import { at, hasHidden, type Inputs, listAt, mapAt } from "./values.ts";

/** Components that all teams share. */
export const ofPlatform = classesIn("platform");
export const inTeams = classesIn("inside");
const ofTeams = classesIn("team", "inside");

export interface Whose {
  /** Whether what the preview does not show in a namespace is nobody else's. */
  readonly isOwn: (namespace: string) => boolean;
  /** Whether it is said to be another stack's. */
  readonly isOthers: (namespace: unknown) => boolean;
  readonly isPlatforms: (namespace: unknown) => boolean;
  /** Those with a team, or with what is a team's. */
  readonly teams: ReadonlySet<unknown>;
  /** `core/Secret team-a/dev1-host-key` of all that the preview shows. */
  readonly shown: ReadonlySet<string>;
}

/** @param stacks of the project; undefined where nobody said which there are */
export function whose(
  pairs: readonly ObjectPair[],
  bounds: Bounds,
  stacks: readonly NamingStack[] = [],
): Whose {
  const stack = pairs[0] && urnStack(pairs[0].urn);
  const components = pairs.filter(({ isCustom, type }) => !isCustom && isOurs(type));
  const placesOf = (kinds: readonly string[], of: (pair: ObjectPair) => Inputs | undefined) =>
    components
      .filter(({ type }) => kinds.includes(kindOf({ type })))
      .flatMap((pair) => (of(pair) === undefined ? [] : [placeOf(pair.type, pair.urn, of(pair))]));
  const worked = new Set(placesOf(inTeams, ({ before }) => before));
  const claimed = Map.groupBy(stacks, ({ namespace }) => namespace);
  const isUnread = stacks.some(({ people }) => people === undefined);
  /** Undefined where nobody says it. */
  const says = (namespace: string): boolean | undefined => {
    const claims = claimed.get(namespace) ?? [];
    const isClaimed = claims.some((one) => one.stack === stack);
    const owner = bounds.namespaces.get(namespace);
    if (owner !== undefined) return owner === stack;
    if (claims.length > 0 && !isClaimed) return false;
    if (bounds.namespaces.has(namespace)) return true;
    // A pull request can change a file. It cannot change where the stack already is.
    return isClaimed && claims.length === 1 && !isUnread && worked.has(namespace) ? true : undefined;
  };
  const platform = new Set<unknown>([
    ...bounds.platform,
    ...components.flatMap(({ before, after }) =>
      [before, after].map((one) => at(one, "existing", "namespace")).filter((one) => one !== undefined),
    ),
    ...pairs
      .filter((pair) => pair.groupKind !== undefined && belongsTo(pair, ...ofPlatform))
      .map(({ namespace }) => namespace)
      .filter((namespace) => namespace !== ""),
  ]);
  return {
    isOwn: (namespace) => says(namespace) === true,
    isOthers: (namespace) => says(String(namespace)) === false,
    isPlatforms: (namespace) => platform.has(namespace) || /^(kube-|istio-system$)/.test(String(namespace)),
    teams: new Set(placesOf(ofTeams, ({ before, after }) => before ?? after)),
    shown: new Set(
      pairs
        .filter(({ isCustom, after }) => isCustom && after !== undefined)
        .map(({ groupKind, namespace, name }) => `${groupKind} ${namespace}/${name}`),
    ),
  };
}

/** A Team's namespace is called after it. */
const placeOf = (type: string, urn: string, args: Inputs | undefined) =>
  args?.namespace ?? (componentOf(type)?.place === "team" ? urnName(urn) : undefined);

/** A team's component in a namespace of the platform, or the other way round: a deployer of one reads the other's Secrets. */
export function neighbours({ type, urn, isCustom, before, after }: ObjectPair, whose: Whose): Effect[] {
  if (isCustom || !isOurs(type) || after === undefined) return [];
  const [was, is] = [before, after].map((args) => placeOf(type, urn, args));
  if (before !== undefined && was === is) return [];
  const kind = kindOf({ type });
  if (ofTeams.includes(kind) && whose.isPlatforms(is))
    return [crosses("cluster-rights", `namespace: ${is} is the platform's, and a ${kind} is a team's`)];
  const place = at(after, "existing", "namespace") ?? is;
  return ofPlatform.includes(kind) && before === undefined && whose.teams.has(place)
    ? [crosses("cluster-rights", `namespace: ${place} is a team's, and a ${kind} is the platform's`)]
    : [];
}

/** What a component's object, or another one, refers to and the preview does not show; it may be anybody's. */
export function unknownReferences(inputs: unknown, namespace: string, whose: Whose): string[] {
  return whose.isOwn(namespace)
    ? []
    : unshown(inputs, namespace, whose.shown).map(
        (title) => `it refers to ${title}, which this preview does not show: whose it is, is not known`,
      );
}

/** Of a pod, by which terms it looks for pods of other namespaces to be beside, or to keep away. */
export function elsewhere(inputs: unknown, kind: string): string[] {
  const affinity = at(templateOf(inputs, kind), "spec", "affinity");
  return ["podAffinity", "podAntiAffinity"].flatMap((by) =>
    Object.entries(mapAt(affinity, by)).flatMap(([when, terms]) =>
      listAt({ terms }, "terms")
        .map((term) => at(term, "podAffinityTerm") ?? term)
        .filter(
          (term) => listAt(term, "namespaces").length > 0 || at(term, "namespaceSelector") !== undefined,
        )
        .map(() => `its ${by}.${when} is about pods of other namespaces`),
    ),
  );
}

/** By which fields a pod takes the place of others': on the nodes of the cluster itself, or before what keeps a node going. */
function above(inputs: unknown, kind: string): string[] {
  const spec = at(templateOf(inputs, kind), "spec");
  const priority = String(at(spec, "priorityClassName"));
  return [
    ...listAt(spec, "tolerations")
      .filter(toleratesCluster)
      .map((one) => `it tolerates ${JSON.stringify(one)}, by which it comes to the cluster's own nodes`),
    ...(priority.startsWith("system-")
      ? [`it has the priority ${priority}, which is the cluster's own`]
      : []),
  ];
}

/** What an object that a component makes refers to beyond the preview, and did not before. */
export function beyond(pair: ObjectPair, whose: Whose): Effect[] {
  const { before, after, kind, namespace } = pair;
  if (!belongsTo(pair, ...inTeams) || after === undefined) return [];
  const [had, has] = [before, after].map((inputs) => [
    ...unknownReferences(inputs, namespace, whose),
    ...elsewhere(inputs, kind),
    ...above(inputs, kind),
  ]);
  return (has ?? [])
    .filter((text) => had?.includes(text) !== true)
    .map((text) =>
      hasHidden(text.split(", ")[0]) ? unknown("unknown-value", text) : crosses("pod-privileges", text),
    );
}
