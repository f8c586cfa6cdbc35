/** Objects of one component that the arguments of another name, or make too. */
import type { Declared } from "@drawbridge-iac/manifests";
import type { Change } from "../change.ts";
import { crosses, type Effect } from "../effect.ts";
import { references } from "../foreign/references.ts";
import { type Made, titleOf } from "./made-again.ts";

/**
 * @param changes by URN
 * @param earlier objects by URN, as the arguments were
 */
export function shared(
  components: readonly Change[],
  made: ReadonlyMap<string, Made | string>,
  earlier: ReadonlyMap<string, Declared>,
  changes: ReadonlyMap<string, Change>,
): { change: Change; effect: Effect }[] {
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
    references(object?.manifest, String(object?.manifest.metadata.namespace), titles);
  return components
    .filter(({ op, after }) => op !== "same" && after !== undefined)
    .flatMap((change) =>
      objectsOf(change).flatMap(([urn, object]) => {
        const others = (owners.get(placed(urn, object)) ?? []).filter((one) => one !== change);
        const text = `its ${titleOf(object)} is made by ${others.map(({ name }) => name).join(" and ")} too`;
        const had = named(earlier.get(urn));
        return [
          ...(others.length > 0 ? [{ change, effect: crosses("foreign-change", text) }] : []),
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

/** A storage's claim is there to be mounted by others. */
const isPrivate = ({ type }: Change, { manifest: { kind } }: Declared) =>
  kind === "Secret" ||
  kind === "ServiceAccount" ||
  (kind === "PersistentVolumeClaim" && type === "drawbridge:index:DevContainer");
