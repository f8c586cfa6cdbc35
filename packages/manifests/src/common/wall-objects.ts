import { type Wall, type WallOwner, wallBinding, wallPolicy } from "./admission.ts";
import type { Manifest } from "./manifest.ts";
import { type Declared, declared } from "./objects.ts";
import { known, type Placed, placedWhere, whenAllKnown, whenKnown } from "./placed.ts";

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
  const standIns = (standIn: string) => wallsOf(...names.map((one) => known(one) ?? standIn));
  const [shape, other] = [standIns("later"), standIns("other")];
  const objects = shape.walls.flatMap(({ name }, index): [string, Declared<WallKind>][] => {
    const key = name === "" ? "admission" : `admission-${name}`;
    const made = <K extends WallKind>(make: (owner: WallOwner, wall: Wall) => Manifest<K>) => {
      const of = ({ owner, walls }: OwnedWalls) => make(owner, walls[index] as Wall);
      return declared(placedWhere(of(shape), of(other), whenKnown(owned, of)));
    };
    return [
      [key, made(wallPolicy)],
      [`${key}-binding`, made(wallBinding)],
    ];
  });
  return Object.fromEntries(objects);
}
