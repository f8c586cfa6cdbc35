import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { register } from "./register.ts";

/** An owner's policies, made when the names are known that stand in them. */
type WallsOf<Names> = (names: Names) => { readonly owner: m.WallOwner; readonly walls: readonly m.Wall[] };

/**
 * Registers the policies of one owner, by which the API server refuses what would reach beyond a namespace. They belong to
 * no namespace, so they wait for none. Which there are does not depend on the owner's names; their texts do.
 */
export function registerWalls<Names extends Record<string, string>>(
  name: string,
  names: { readonly [N in keyof Names]: m.Placed<string> },
  wallsOf: WallsOf<Names>,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } = k8s.admissionregistration.v1;
  const keys = Object.keys(names);
  const unknown = Object.fromEntries(keys.map((key) => [key, m.known(names[key]) ?? "later"])) as Names;
  const known = m.whenAllKnown(
    keys.map((key) => names[key] as m.Placed<string>),
    (values) => Object.fromEntries(keys.map((key, index) => [key, values[index]])) as Names,
  );
  return wallsOf(unknown).walls.flatMap((wall, index) => {
    const logicalName = [name, "admission", ...(wall.name === "" ? [] : [wall.name])].join("-");
    const late = (make: typeof m.wallPolicy) =>
      lateManifest(known, unknown, (of) => {
        const { owner, walls } = wallsOf(of);
        return make(owner, walls[index] as m.Wall);
      });
    return [
      register(ValidatingAdmissionPolicy, logicalName, late(m.wallPolicy), opts),
      register(ValidatingAdmissionPolicyBinding, `${logicalName}-binding`, late(m.wallBinding), opts),
    ];
  });
}

/** The object; name, labels and rules come when the names are known of which all three tell. */
function lateManifest<Names>(
  names: m.Placed<Names>,
  unknown: Names,
  make: (names: Names) => m.Manifest,
): m.Manifest {
  if (!m.isDeferred(names)) return make(names as Names);
  const part = <T>(of: (manifest: m.Manifest) => T) => m.whenKnown(names, (known) => of(make(known)));
  const labels = part(({ metadata }) => metadata.labels) as unknown as Record<string, string>;
  const metadata = { name: part((manifest) => manifest.metadata.name) as m.Placed<string>, labels };
  return { ...make(unknown), metadata, spec: part(({ spec }) => spec) };
}
