import { type Wall, type WallOwner, wallBinding, wallPolicy } from "./admission.ts";
import type { Manifest } from "./manifest.ts";
import { type Declared, declared } from "./objects.ts";
import { isDeferred, known, type Placed, whenAllKnown, whenKnown } from "./placed.ts";

interface OwnedWalls {
  readonly owner: WallOwner;
  readonly walls: readonly Wall[];
}

type WallKind = "ValidatingAdmissionPolicy" | "ValidatingAdmissionPolicyBinding";

/**
 * The policies of one owner, by which the API server refuses what would reach beyond a namespace. They belong to no
 * namespace, so they wait for none. Which there are does not depend on the owner's names; their texts do.
 * @param names those that stand in the policies
 */
export function wallObjects(
  names: readonly Placed<string>[],
  wallsOf: (...names: string[]) => OwnedWalls,
): Record<string, Declared<WallKind>> {
  const owned = whenAllKnown(names, (all) => wallsOf(...all));
  const shape = known(owned) ?? wallsOf(...names.map((one) => known(one) ?? "later"));
  const objects = shape.walls.flatMap(({ name }, index): [string, Declared<WallKind>][] => {
    const key = name === "" ? "admission" : `admission-${name}`;
    const made = <K extends WallKind>(make: (owner: WallOwner, wall: Wall) => Manifest<K>) =>
      declared(late(owned, shape, ({ owner, walls }) => make(owner, walls[index] as Wall)));
    return [
      [key, made(wallPolicy)],
      [`${key}-binding`, made(wallBinding)],
    ];
  });
  return Object.fromEntries(objects);
}

/** The object; name, labels and rules come when the names are known of which all three tell. */
function late<Owned, M extends Manifest<WallKind>>(
  owned: Placed<Owned>,
  shape: Owned,
  make: (owned: Owned) => M,
): M {
  if (!isDeferred(owned)) return make(shape);
  const part = <T>(of: (manifest: M) => T) => whenKnown(owned, (all) => of(make(all))) as T;
  const metadata = { name: part((one) => one.metadata.name), labels: part((one) => one.metadata.labels) };
  return { ...make(shape), metadata, spec: part(({ spec }) => spec) };
}
