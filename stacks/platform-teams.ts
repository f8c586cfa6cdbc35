/** What the platform makes for each team: its namespace, the walls in it, and the rights to deploy there. */
import { RootNamespace, type RootNamespaceArgs } from "@drawbridge-iac/drawbridge";
import {
  deployerBinding,
  deployerRole,
  objectLabels,
  type PlatformTeam,
  platformWallOwner,
  rootPodSecurity,
  teamDefaultDeny,
  teamNamespace,
  teamWalls,
  wallBinding,
  wallPolicy,
} from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { shares, withDefaults } from "./namespace.ts";

/** The policies on what teams write, where no SshGateway brings them. */
export function platformWalls(opts: pulumi.CustomResourceOptions): void {
  const { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } = k8s.admissionregistration.v1;
  for (const wall of teamWalls()) {
    new ValidatingAdmissionPolicy(wall.name, wallPolicy(platformWallOwner, wall), opts);
    new ValidatingAdmissionPolicyBinding(wall.name, wallBinding(platformWallOwner, wall), opts);
  }
}

/**
 * @param sleeps whether its containers may sleep
 * @returns what lets containers have root, if the platform says so
 */
export function platformTeam(
  name: string,
  team: PlatformTeam,
  provider: pulumi.ProviderResource,
  sleeps: boolean,
): RootNamespace | undefined {
  const root = team.root && new RootNamespace(`${name}-root`, rootArgs(name, team.root), { provider });
  const level = team.root === undefined ? "restricted" : rootPodSecurity(team.root);
  const namespace = new k8s.core.v1.Namespace(name, teamNamespace(name, team.egress.allow, level), {
    provider,
    // Deleting a namespace deletes the homes in it, so it stays until somebody deletes it by hand.
    retainOnDelete: true,
    // Nothing is let in before the policies stand.
    ...(root === undefined ? {} : { dependsOn: [root] }),
  });
  const opts = { provider, dependsOn: [namespace] };
  new k8s.networking.v1.NetworkPolicy(`${name}-default-deny`, teamDefaultDeny(name), opts);
  new k8s.rbac.v1.Role(`${name}-deployer`, deployerRole(name, sleeps), opts);
  new k8s.rbac.v1.RoleBinding(`${name}-deployer`, deployerBinding(name, team.deployers), opts);
  const quota = withDefaults(team.quota);
  shares({ ...team, quota, namespace: name, labels: objectLabels("team", name) }, opts);
  return root;
}

/** The namespace itself is the platform's own resource, whether its containers may have root or not. */
function rootArgs(namespace: string, root: NonNullable<PlatformTeam["root"]>): RootNamespaceArgs {
  return { namespace, createNamespace: false, ...root };
}
