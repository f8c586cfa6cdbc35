/** What the platform makes for each team: its namespace, the walls in it, and the rights to deploy there. */
import {
  deployerBinding,
  deployerRole,
  objectLabels,
  type PlatformTeam,
  teamDefaultDeny,
  teamNamespace,
} from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { shares } from "./namespace.ts";

export function platformTeam(name: string, team: PlatformTeam, provider: pulumi.ProviderResource): void {
  const namespace = new k8s.core.v1.Namespace(name, teamNamespace(name, team.egress.allow) as never, {
    provider,
    // Deleting a namespace deletes the homes in it, so it stays until somebody deletes it by hand.
    retainOnDelete: true,
  });
  const opts = { provider, dependsOn: [namespace] };
  new k8s.networking.v1.NetworkPolicy(`${name}-default-deny`, teamDefaultDeny(name) as never, opts);
  new k8s.rbac.v1.Role(`${name}-deployer`, deployerRole(name) as never, opts);
  new k8s.rbac.v1.RoleBinding(`${name}-deployer`, deployerBinding(name, team.deployers) as never, opts);
  shares({ ...team, namespace: name, labels: objectLabels("team", name) }, opts);
}
