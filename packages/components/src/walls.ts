import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { register } from "./register.ts";

/**
 * Registers the policies of one gateway, by which the API server refuses what would reach beyond a namespace. They belong to
 * no namespace, so they wait for none.
 */
export function registerWalls(
  name: string,
  owner: m.WallOwner,
  walls: readonly m.Wall[],
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } = k8s.admissionregistration.v1;
  return walls.flatMap((wall) => {
    const logicalName = [name, "admission", ...(wall.name === "" ? [] : [wall.name])].join("-");
    return [
      register(ValidatingAdmissionPolicy, logicalName, m.wallPolicy(owner, wall), opts),
      register(ValidatingAdmissionPolicyBinding, `${logicalName}-binding`, m.wallBinding(owner, wall), opts),
    ];
  });
}
