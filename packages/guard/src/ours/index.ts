/** Which objects of a preview are what their component's arguments say, and what is not. */
import type { Declared } from "@drawbridge-iac/drawbridge/src/kubernetes/objects";
import { type Change, kindOf, urnName, urnType } from "../change.ts";
import { crosses, type Effect, exactly, unknown } from "../effect.ts";
import { references } from "../objects.ts";
import { peopleType } from "../stacks.ts";
import { at, hasHidden, isEqual } from "../values.ts";
import { componentOf, type Generated, generatedOf, titleOf } from "./components.ts";
import { type Difference, differences, hiddenKind } from "./stand-in.ts";

/** An effect on one resource. */
export interface Found {
  readonly change: Change;
  readonly effect: Effect;
}

export interface Ownership {
  readonly found: readonly Found[];
  /** URNs of what changes and no component made. */
  readonly foreign: ReadonlySet<string>;
  readonly made: readonly Generated[];
  /** URNs of what components made, or made before the change. */
  readonly own: ReadonlySet<string>;
}

/** Whether the program makes the resource; one that is only read was there. */
const comes = ({ op, after }: Change) => after !== undefined && !op.startsWith("read");

/**
 * Sorts a preview: what differs from its component's arguments, what no component made, and what each component makes.
 * Deletions are judged elsewhere: by what Pulumi says of them, and by the arguments of the component that goes on.
 */
export function ownership(changes: readonly Change[]): Ownership {
  const byUrn = new Map(changes.filter(comes).map((change) => [change.urn, change]));
  const components = changes.filter((one) => !one.isCustom && componentOf(one.type) !== undefined);
  const { found, made, earlier, older } = readComponents(components, changes, byUrn);
  found.push(...changes.flatMap(pretended), ...shared(components, made, earlier, byUrn));
  const removed = new Set(components.map(({ urn }) => urn).filter((urn) => !made.has(urn)));
  const same = new Set(components.filter(({ op }) => op === "same").map(({ urn }) => urn));
  const mixed = ofSeveralProviders(changes);
  const foreign = new Set<string>();
  const ours = new Set(earlier.keys());
  for (const change of changes) {
    const { urn, parent = "", component } = change;
    const own = made.get(parent);
    const object = typeof own === "object" ? own.objects.get(urn) : undefined;
    const before = earlier.get(urn);
    // What stays although its component's arguments cannot be read was judged when it came.
    if (object !== undefined || (typeof own === "string" && change.op === "same")) ours.add(urn);
    if (object !== undefined) {
      const isStill = same.has(parent);
      const isNew = before === undefined && !isStill && !older.has(parent);
      if (change.op === "same" || isObject(change))
        found.push(...changed(change, object, before, isStill, isNew));
      // A component resource can carry any type; in the place of an object it makes nothing.
      if (comes(change) && !change.isCustom)
        found.push(otherwise(change, "it is a component, and nothing is made"));
      if (isObject(change) && change.before === undefined && mixed.has(parent))
        found.push({ change, effect: crosses("provider-changed", "its component has another provider") });
      continue;
    }
    if (typeof own === "object" && comes(change) && before !== undefined)
      found.push(otherwise(change, "it stays, and no argument asks for it"));
    if (!isObject(change) || (removed.has(parent) && !comes(change))) continue;
    const isChild = component !== undefined && componentOf(component.type) !== undefined;
    if (isChild && own === undefined) found.push(...unseen(change));
    // A removal follows from the component's arguments, or from its new version.
    else if (!isChild || comes(change)) foreign.add(urn);
  }
  return { found, foreign, made: [...made.values()].filter((one) => typeof one === "object"), own: ours };
}

/** A component by a name of ours that this version does not know, and that a later change could take over. */
function pretended(change: Change): Found[] {
  const { type, isCustom, op, formerType } = change;
  const isKnown = type === peopleType || componentOf(type) !== undefined;
  const isNews = op !== "same" || formerType !== undefined;
  if (isCustom || !type.startsWith("drawbridge:") || isKnown || !isNews || !comes(change)) return [];
  return [{ change, effect: unknown("unknown-kind", `what a ${type} gives is not known`) }];
}

interface Components {
  readonly found: Found[];
  /** By URN; a text says why a component's objects cannot be made again. */
  readonly made: Map<string, Generated | string>;
  /** Objects by URN that the arguments before the change make, with this version's builders. */
  readonly earlier: Map<string, Declared>;
  /** Components with arguments of an earlier version that this one cannot read: what they made was judged then. */
  readonly older: Set<string>;
}

/** Makes the objects of components again, from the arguments before and after. */
function readComponents(
  components: readonly Change[],
  changes: readonly Change[],
  byUrn: ReadonlyMap<string, Change>,
): Components {
  const read: Components = { found: [], made: new Map(), earlier: new Map(), older: new Set() };
  for (const component of components) {
    const { urn, op, before, after, formerType } = component;
    const old = op !== "same" && before && generatedOf(urn, before);
    if (typeof old === "object") for (const [one, object] of old.objects) read.earlier.set(one, object);
    if (typeof old === "string") read.older.add(urn);
    if (after === undefined) continue;
    if (formerType !== undefined)
      read.found.push(
        otherwise(component, `it takes over what was ${formerType}, whose arguments nobody judged`),
      );
    const own = generatedOf(urn, after);
    read.made.set(urn, own);
    const touches = (one: Change) =>
      one === component ? op !== "same" : one.parent === urn && (isObject(one) || isBent(one));
    if (typeof own !== "string") read.found.push(...missing(component, own, byUrn));
    else if (changes.some(touches)) {
      const effect = unknown("unknown-value", `its arguments cannot be read: ${own}`);
      read.found.push({ change: component, effect });
    }
  }
  return read;
}

const otherwise = (change: Change, text: string): Found => ({
  change,
  effect: crosses("foreign-change", text),
});

const isObject = ({ isCustom, type, op }: Change) =>
  isCustom && !type.startsWith("pulumi:") && op !== "read" && op !== "same";

/** Whether options decide on what becomes of it later. */
const isBent = ({ options }: Change) => options?.isLeft === true || (options?.ignoreChanges.length ?? 0) > 0;

/** Objects that the arguments ask for and the preview lacks. */
function missing(component: Change, { objects }: Generated, byUrn: ReadonlyMap<string, Change>): Found[] {
  return [...objects.keys()]
    .filter((urn) => !byUrn.has(urn))
    .map((urn) => otherwise(component, `its ${kindAndName(urn)} is not made, which its arguments ask for`));
}

const kindAndName = (urn: string) => `${kindOf({ type: urnType(urn) })} ${urnName(urn)}`;

/** A child whose component's arguments the preview leaves out. */
function unseen(change: Change): Found[] {
  if (!comes(change) || isEqual(change.before, change.after)) return [];
  const text = `the arguments of ${change.component?.name} are not in the preview; take it with --show-sames`;
  return [{ change, effect: unknown("unknown-value", text) }];
}

/** Components with objects of more than one provider. */
function ofSeveralProviders(changes: readonly Change[]): ReadonlySet<string> {
  const first = new Map<string, string>();
  const several = new Set<string>();
  for (const { parent = "", provider } of changes) {
    if (provider === undefined) continue;
    if (provider !== (first.get(parent) ?? provider)) several.add(parent);
    first.set(parent, provider);
  }
  return several;
}

/**
 * Where an object differs from what the arguments make.
 * @param earlier what the arguments before the change ask for, where they changed
 * @param isStill whether no argument changes, secret ones included
 * @param isNew whether the component did not make it before, whatever an alias says
 */
export function changed(
  change: Change,
  { manifest, kept = false, ignoreChanges = [] }: Declared,
  earlier: Declared | undefined,
  isStill: boolean,
  isNew: boolean,
): Found[] {
  const { after, options, op } = change;
  const isLeft = !kept && options?.isLeft === true;
  const isNews = op !== "same" || !isStill || options?.ignoreChanges.length || isLeft;
  if (after === undefined || !isNews) return [];
  // What is imported, or taken over by an alias, was there, and nobody judged it as the component's.
  const before = op.startsWith("import") || isNew ? undefined : change.before;
  const isSecret = manifest.kind === "Secret";
  const isIgnored = ({ at: [first = ""], shown }: Difference) =>
    before !== undefined &&
    ignoreChanges.includes(first) &&
    isEqual(before[first], after[first]) &&
    !hasHidden(shown);
  const isAskedAnew = ({ at: place }: Difference) =>
    earlier !== undefined && !isEqual(at(earlier.manifest, ...place), at(manifest, ...place));
  const leaves = differences(manifest, after, isSecret)
    .filter((one) => !isIgnored(one) && (isAskedAnew(one) || !isAsBefore(one, before, op === "same")))
    .map(({ at: place, shown }) => {
      const path = place.join(".");
      const isHidden = hasHidden(shown);
      const text = `${path} is not what the arguments of ${change.component?.name} say`;
      if (isHidden)
        return unknown("unknown-value", `${path} is hidden, and no argument of ${change.component?.name} is`);
      // A hash of a weak secret could be searched.
      return crosses("foreign-change", isSecret && place[0] === "data" ? text : exactly(text, shown));
    });
  const isLost = before === undefined && kept && options?.kept === false;
  const lost = isLost ? [crosses("foreign-change", "it would not be kept when it is deleted")] : [];
  const left = isLeft ? [crosses("foreign-change", "it would stay in the cluster when it is removed")] : [];
  const alone = isStill && op === "update" ? unasked(change, manifest) : [];
  const extra = (options?.ignoreChanges ?? [])
    .filter((field) => !ignoreChanges.includes(field))
    .map((field) => crosses("foreign-change", `changes of its ${field} would be ignored`));
  return [...leaves, ...alone, ...lost, ...left, ...extra].map((effect) => ({ change, effect }));
}

/** Changes of an object's hidden values and of what is derived from them, although no argument of its component changes. */
function unasked({ before, after, component }: Change, manifest: Declared["manifest"]): Effect[] {
  const changes = differences(before, after, false);
  const text = (path: string) => `${path} changes, and no argument of ${component?.name} does`;
  if (manifest.kind === "Secret" && changes.length === 0) return [unknown("unknown-value", text("its data"))];
  return changes
    .filter(({ at: place }) => hiddenKind(at(manifest, ...place)) === "derived")
    .map(({ at: place, shown }) => crosses("foreign-change", exactly(text(place.join(".")), shown)));
}

/** Whether a leaf is as it was: seen in plain, or in an object that Pulumi calls the same. */
function isAsBefore({ at: place, shown }: Difference, before: Change["before"], isSame: boolean): boolean {
  if (before === undefined || (!isSame && hasHidden(shown))) return false;
  return isEqual(at(before, ...place), shown);
}

/**
 * Objects that two components make, and objects of one component that another refers to.
 * @param changes by URN
 * @param earlier objects by URN, as the arguments were
 */
function shared(
  components: readonly Change[],
  made: ReadonlyMap<string, Generated | string>,
  earlier: ReadonlyMap<string, Declared>,
  changes: ReadonlyMap<string, Change>,
): Found[] {
  const objectsOf = ({ urn }: Change) => {
    const own = made.get(urn);
    return typeof own === "object" ? [...own.objects] : [];
  };
  const owners = new Map<string, Change[]>();
  const add = (key: string, component: Change) => owners.set(key, [...(owners.get(key) ?? []), component]);
  // Two clusters may have the same names.
  const placed = (urn: string, object: Declared) => `${titleOf(object)} by ${changes.get(urn)?.provider}`;
  for (const component of components)
    for (const [urn, object] of objectsOf(component)) {
      add(placed(urn, object), component);
      if (isPrivate(component, object)) add(titleOf(object), component);
    }
  const titles = new Set(owners.keys());
  const named = (object: Declared | undefined) =>
    references(object?.manifest, String(object?.manifest.metadata.namespace)).filter((title) =>
      titles.has(title),
    );
  return components
    .filter(({ op, after }) => op !== "same" && after !== undefined)
    .flatMap((change) =>
      objectsOf(change).flatMap(([urn, object]) => {
        const others = (owners.get(placed(urn, object)) ?? []).filter((one) => one !== change);
        const text = `its ${titleOf(object)} is made by ${others.map(({ name }) => name).join(" and ")} too`;
        const had = named(earlier.get(urn));
        return [
          ...(others.length > 0 ? [otherwise(change, text)] : []),
          ...named(object).flatMap((title) => {
            const of = owners.get(title) ?? [];
            if (of.includes(change) || had.includes(title)) return [];
            const reference = `it refers to ${title}, which is of ${of[0]?.name}`;
            return [{ change, effect: crosses("pod-privileges", reference) }];
          }),
        ];
      }),
    );
}

/** Whether an object is for its own component alone. A storage's claim is there for others to mount. */
const isPrivate = ({ type }: Change, { manifest: { kind } }: Declared) =>
  kind === "Secret" ||
  kind === "ServiceAccount" ||
  (kind === "PersistentVolumeClaim" && type === "drawbridge:index:DevContainer");
