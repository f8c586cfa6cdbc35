/** A team's namespace: Pod Security, how much it may use, and who may look and get in. */
import { restrictedNamespaceLabels, sshpodRole, sshpodRoleBinding } from "@drawbridge-iac/manifests";
import type { TeamConfig } from "@drawbridge-iac/manifests/stack";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

/** Registers what the team's file asks for; returns what its storages and containers depend on. */
export function teamNamespace(team: TeamConfig, provider: pulumi.ProviderResource): pulumi.Resource[] {
  const { namespace } = team;
  const first = team.createNamespace
    ? [
        new k8s.core.v1.Namespace(
          namespace,
          { metadata: { name: namespace, labels: { ...restrictedNamespaceLabels } } },
          // Deleting a namespace deletes the homes in it, so it stays until somebody deletes it by hand.
          { provider, retainOnDelete: true },
        ),
      ]
    : [];
  const opts = { provider, dependsOn: first };
  const limits = [...limitRange(team, opts)];
  quota(team, opts);
  members(team, opts);
  // A pod that is made before the LimitRange goes without its defaults, and a quota then refuses it.
  return [...first, ...limits];
}

function quota({ namespace, quota: hard }: TeamConfig, opts: pulumi.CustomResourceOptions): void {
  if (hard === undefined) return;
  const metadata = { name: "team", namespace };
  new k8s.core.v1.ResourceQuota(`${namespace}-quota`, { metadata, spec: { hard } }, opts);
}

function limitRange({ namespace, limits }: TeamConfig, opts: pulumi.CustomResourceOptions) {
  if (limits === undefined) return [];
  const metadata = { name: "team", namespace };
  const spec = { limits: [{ type: "Container", ...limits }] };
  return [new k8s.core.v1.LimitRange(`${namespace}-limits`, { metadata, spec } as never, opts)];
}

function members({ namespace, members: people }: TeamConfig, opts: pulumi.CustomResourceOptions): void {
  const { viewers, sshpod } = people;
  const isEmpty = ({ users, groups }: typeof viewers) => users.length + groups.length === 0;
  if (!isEmpty(viewers)) {
    const binding = sshpodRoleBinding({ name: "viewers", namespace, labels: {} }, viewers);
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
    new k8s.rbac.v1.RoleBinding(`${namespace}-viewers`, { ...binding, roleRef } as never, opts);
  }
  if (!isEmpty(sshpod)) {
    const role = { name: "sshpod", namespace, labels: {}, exec: true };
    new k8s.rbac.v1.Role(`${namespace}-sshpod`, sshpodRole(role) as never, opts);
    new k8s.rbac.v1.RoleBinding(`${namespace}-sshpod`, sshpodRoleBinding(role, sshpod) as never, opts);
  }
}
