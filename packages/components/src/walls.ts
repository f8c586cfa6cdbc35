import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { register } from "./register.ts";

/** An owner's policies, made when its namespace is known. */
type WallsIn = (namespace: string) => { readonly owner: m.WallOwner; readonly walls: readonly m.Wall[] };

/**
 * Registers the policies of one owner, by which the API server refuses what would reach beyond a namespace. They belong to
 * no namespace, so they wait for none. Which there are does not depend on the owner's namespace; their texts do.
 */
export function registerWalls(
  name: string,
  namespace: m.Placed<string>,
  wallsIn: WallsIn,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } = k8s.admissionregistration.v1;
  return wallsIn(m.known(namespace) ?? "later").walls.flatMap((wall, index) => {
    const logicalName = [name, "admission", ...(wall.name === "" ? [] : [wall.name])].join("-");
    const late = (make: typeof m.wallPolicy) =>
      lateManifest(namespace, (known) => {
        const { owner, walls } = wallsIn(known);
        return make(owner, walls[index] as m.Wall);
      });
    return [
      register(ValidatingAdmissionPolicy, logicalName, late(m.wallPolicy), opts),
      register(ValidatingAdmissionPolicyBinding, `${logicalName}-binding`, late(m.wallBinding), opts),
    ];
  });
}

/** The object; name, labels and rules come when the namespace is known of which all three tell. */
function lateManifest(namespace: m.Placed<string>, make: (namespace: string) => m.Manifest): m.Manifest {
  if (!m.isDeferred(namespace)) return make(namespace);
  const part = <T>(of: (manifest: m.Manifest) => T) => m.whenKnown(namespace, (known) => of(make(known)));
  const labels = part(({ metadata }) => metadata.labels) as unknown as Record<string, string>;
  const metadata = { name: part((manifest) => manifest.metadata.name) as m.Placed<string>, labels };
  return { ...make("later"), metadata, spec: part(({ spec }) => spec) };
}
