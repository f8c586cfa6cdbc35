/** Homes, keys and accounts of a component that the arguments of another name. */
import type { Declared } from "@drawbridge-iac/manifests";
import type { Change } from "../change.ts";
import { crosses, type Effect } from "../effect.ts";
import { references } from "../foreign/references.ts";
import { type Made, titleOf } from "./made-again.ts";

/** @param earlier objects by URN, as the arguments were */
export function borrowed(
  components: readonly Change[],
  made: ReadonlyMap<string, Made | string>,
  earlier: ReadonlyMap<string, Declared>,
): { change: Change; effect: Effect }[] {
  const objectsOf = ({ urn }: Change) => {
    const own = made.get(urn);
    return typeof own === "object" ? [...own.objects] : [];
  };
  // Two clusters may have the same names.
  const owners = new Map<string, Change[]>();
  for (const component of components)
    for (const [, object] of objectsOf(component)) {
      const title = titleOf(object);
      if (isPrivate(component, object)) owners.set(title, [...(owners.get(title) ?? []), component]);
    }
  const titles = new Set(owners.keys());
  const named = (object: Declared | undefined) =>
    references(object?.manifest, String(object?.manifest.metadata.namespace), titles);
  return components
    .filter(({ op, after }) => op !== "same" && after !== undefined)
    .flatMap((change) =>
      objectsOf(change).flatMap(([urn, object]) => {
        const had = named(earlier.get(urn));
        return named(object).flatMap((title) => {
          const of = owners.get(title) ?? [];
          if (of.includes(change) || had.includes(title)) return [];
          const text = `it refers to ${title}, which is of ${of[0]?.name}`;
          return [{ change, effect: crosses("pod-privileges", text) }];
        });
      }),
    );
}

/** A storage's claim is there to be mounted by others. */
const isPrivate = ({ type }: Change, { manifest: { kind } }: Declared) =>
  kind === "Secret" ||
  kind === "ServiceAccount" ||
  (kind === "PersistentVolumeClaim" && type === "drawbridge:index:DevContainer");
