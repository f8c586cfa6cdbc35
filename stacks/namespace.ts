/** A team's namespace: Pod Security, quota, and who may look at it. */
import { restrictedNamespaceLabels } from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { TeamStack } from "./config/read.ts";

/** Registers what the team's file asks for; returns what its storages and containers depend on. */
export function teamNamespace(team: TeamStack, provider: pulumi.ProviderResource): pulumi.Resource[] {
  const { namespace } = team;
  const resources: pulumi.Resource[] = [];
  if (team.createNamespace) {
    resources.push(
      new k8s.core.v1.Namespace(
        namespace,
        { metadata: { name: namespace, labels: { ...restrictedNamespaceLabels } } },
        // Deleting a namespace deletes the homes in it, so it stays until somebody deletes it by hand.
        { provider, retainOnDelete: true },
      ),
    );
  }
  const opts = { provider, dependsOn: [...resources] };
  if (team.quota !== undefined) {
    new k8s.core.v1.ResourceQuota(
      `${namespace}-quota`,
      { metadata: { name: "team", namespace }, spec: { hard: team.quota } },
      opts,
    );
  }
  if (team.viewers.length > 0) {
    new k8s.rbac.v1.RoleBinding(
      `${namespace}-viewers`,
      {
        metadata: { name: "viewers", namespace },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
        subjects: team.viewers.map((name) => ({
          apiGroup: "rbac.authorization.k8s.io",
          kind: "Group",
          name,
        })),
      },
      opts,
    );
  }
  return resources;
}
