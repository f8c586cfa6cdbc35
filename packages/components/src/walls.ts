import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { register } from "./register.ts";

interface OwnedWalls {
  readonly owner: m.WallOwner;
  readonly walls: readonly m.Wall[];
}

/**
 * Registers the policies of one owner, by which the API server refuses what would reach beyond a namespace. They belong to
 * no namespace, so they wait for none. Which there are does not depend on the owner's names; their texts do.
 * @param names those that stand in the policies
 */
export function registerWalls(
  name: string,
  names: readonly m.Placed<string>[],
  wallsOf: (...names: string[]) => OwnedWalls,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } = k8s.admissionregistration.v1;
  const owned = m.whenAllKnown(names, (known) => wallsOf(...known));
  const shape = m.known(owned) ?? wallsOf(...names.map((one) => m.known(one) ?? "later"));
  return shape.walls.flatMap((wall, index) => {
    const logicalName = [name, "admission", ...(wall.name === "" ? [] : [wall.name])].join("-");
    const made = (make: typeof m.wallPolicy) =>
      lateManifest(owned, shape, ({ owner, walls }) => make(owner, walls[index] as m.Wall));
    return [
      register(ValidatingAdmissionPolicy, logicalName, made(m.wallPolicy), opts),
      register(ValidatingAdmissionPolicyBinding, `${logicalName}-binding`, made(m.wallBinding), opts),
    ];
  });
}

/** The object; name, labels and rules come when the names are known of which all three tell. */
function lateManifest<Owned>(
  owned: m.Placed<Owned>,
  shape: Owned,
  make: (owned: Owned) => m.Manifest,
): m.Manifest {
  if (!m.isDeferred(owned)) return make(shape);
  const part = <T>(of: (manifest: m.Manifest) => T) => m.whenKnown(owned, (known) => of(make(known)));
  const labels = part(({ metadata }) => metadata.labels) as unknown as Record<string, string>;
  const metadata = { name: part((manifest) => manifest.metadata.name) as m.Placed<string>, labels };
  return { ...make(shape), metadata, spec: part(({ spec }) => spec) };
}
