/** What a preview brings in from elsewhere, by a read or a reference to a stack, and where secrets come to stand. */
import { type Change, kindOf } from "./change.ts";
import { crosses } from "./effect.ts";
import { harmless } from "./foreign/kinds.ts";
import type { ObjectPair } from "./objects.ts";
import { componentOf } from "./ours/components.ts";
import type { Found } from "./ours/index.ts";
import { at, secretText } from "./values.ts";

const isReference = ({ type }: Change) => type === "pulumi:pulumi:StackReference";
/** A Secret that was there, a list or a patch of some; a release of Helm, whose values one holds. */
const isSecretRead = ({ op, type }: Change) =>
  /^(read|import)/.test(op) && /^kubernetes:.*:(Secret(List|Patch)?|Release)$/.test(type);

const isRead = ({ op }: Change) => op.startsWith("read");

/** What brings something in, by the URN of the resource that passes it on. */
type Brought = ReadonlyMap<string, Change>;

/** @param foreign URNs of what no component made */
export function readEffects(
  changes: readonly Change[],
  pairs: readonly ObjectPair[],
  foreign: ReadonlySet<string>,
): Found[] {
  const brought = broughtBy(changes);
  // Two clusters may have the same names.
  const placed = (place: string, { provider = "" }: Change) => `${place} by ${provider}`;
  const made = new Set(
    changes
      .filter((one) => foreign.has(one.urn) && /:Secret$/.test(one.type) && one.after && !isRead(one))
      .map((one) => placed(placeOf(one), one)),
  );
  const kinds = new Map(pairs.map(({ urn, groupKind = "" }) => [urn, groupKind]));
  return changes.flatMap((change) => {
    const { urn, op, type, isCustom, after, ids = [undefined, undefined] } = change;
    const found = (text: string): Found => ({ change, effect: crosses("secret-taken", text) });
    if (isSecretRead(change)) {
      const place = placeRead(change);
      const isStill = ids[0] !== undefined && ids[0] === ids[1];
      return made.has(placed(place, change)) || isStill
        ? []
        : [found(`it reads the ${kindOf(change)} ${place}, which this program does not make`)];
    }
    if (after === undefined || op === "same") return [];
    const isForeign = foreign.has(urn) && harmless[kinds.get(urn) ?? ""] !== undefined;
    const isOurs = !isCustom && componentOf(type) !== undefined;
    return [
      ...(isForeign ? shownSecrets(change).map(found) : []),
      ...(isForeign || isOurs ? takenFrom(change, brought).map(found) : []),
    ];
  });
}

/** Namespace and name of what is read: its id. */
function placeRead(change: Change): string {
  const id = change.ids?.[1];
  if (!isRead(change) || id === undefined) return placeOf(change);
  return id.includes("/") ? id : `default/${id}`;
}

function placeOf({ name, before, after }: Pick<Change, "name" | "before" | "after">): string {
  const metadata = at(after ?? before, "metadata");
  return `${at(metadata, "namespace") ?? "default"}/${at(metadata, "name") ?? name}`;
}

/** Other components and packages pass on what they are handed. */
function broughtBy(changes: readonly Change[]): Brought {
  const brought = new Map<string, Change>();
  for (const change of changes) {
    const { urn, type } = change;
    const isOther = !type.startsWith("kubernetes:") && componentOf(type) === undefined;
    const [from] = isOther
      ? secretsOf({ ...change, sources: [undefined, change.sources?.[1]] }, brought)
      : [];
    const origin = isReference(change) || isSecretRead(change) ? change : from?.origin;
    if (origin !== undefined) brought.set(urn, origin);
  }
  return brought;
}

/** Where an object holds a secret that those may read who may look at it. A Secret is the place for one. */
function shownSecrets({ type, before, after }: Change): string[] {
  const isIn = ([first = ""]: readonly string[]) =>
    type.endsWith(":Secret") && /^(data|stringData)$/.test(first);
  return secretPaths(after)
    .filter((path) => !isIn(path) && at(before, ...path) !== secretText)
    .map((path) => `${path.join(".")} is secret, and stands where it can be read`);
}

const takenFrom = (change: Change, brought: Brought): string[] =>
  secretsOf(change, brought).map(({ property, origin }) => {
    const from = isReference(origin)
      ? `the stack ${at(origin.after, "name") ?? origin.name}`
      : `the ${kindOf(origin)} ${placeRead(origin)}`;
    return `${property} comes from ${from}, and holds what is secret there`;
  });

/** Properties that hold a secret and come, now, from what was brought in; of a Secret all is one. */
function secretsOf({ after, sources = [undefined, undefined] }: Change, brought: Brought) {
  const [was, is] = sources;
  return Object.entries(is ?? {}).flatMap(([property, urns]) => {
    // The provider turns the one into the other.
    const value = at(after, property === "stringData" ? "data" : property);
    const isNews = (urn: string) => was?.[property]?.includes(urn) !== true;
    return (urns ?? []).flatMap((urn) => {
      const origin = isNews(urn) ? brought.get(urn) : undefined;
      if (origin === undefined || (isReference(origin) && secretPaths(value).length === 0)) return [];
      return [{ property, origin }];
    });
  });
}

function secretPaths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (value === secretText) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretPaths(inner, [...path, key]));
}
