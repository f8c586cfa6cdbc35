/** A team's namespace: Pod Security, how much it may use, and who may look and get in. */
import {
  defaultQuota,
  isEmpty,
  sshpodRole,
  sshpodRoleBinding,
  teamNamespace as teamNamespaceManifest,
} from "@drawbridge-iac/manifests";
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
          teamNamespaceManifest(namespace, declaredNetworks(team)),
          // Deleting a namespace deletes the homes in it, so it stays until somebody deletes it by hand.
          { provider, retainOnDelete: true },
        ),
      ]
    : [];
  const opts = { provider, dependsOn: first };
  const parts = shares(team.createNamespace ? { ...team, quota: withDefaults(team.quota) } : team, opts);
  members(team, opts);
  return [...first, ...parts];
}

/** Who makes the namespace decides what its pods may reach: here, what the file's containers declare. */
function declaredNetworks({ containers }: TeamConfig): string[] {
  const networks = Object.values(containers).flatMap((container) => {
    const { allow = [], dns = [] } = (container.egress ?? {}) as Egress;
    return [...allow.map(({ cidr }) => cidr), ...dns];
  });
  return [...new Set(networks)].sort();
}

interface Egress {
  readonly allow?: readonly { readonly cidr: string }[];
  readonly dns?: readonly string[];
}

/** What a namespace may use in all, and what one container of it. */
interface Shares {
  readonly namespace: string;
  /** None where the team writes them itself. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly quota?: TeamConfig["quota"] | undefined;
  readonly limits?: TeamConfig["limits"] | undefined;
}

/** Who makes the namespace bounds what of it stands in every gateway's memory, whether the file has a quota or not. */
export const withDefaults = (quota: TeamConfig["quota"]) => ({ ...defaultQuota, ...quota });

/**
 * Returns what the namespace's objects have to wait for: a pod that is made before the LimitRange goes without its defaults,
 * and a quota refuses it; before a new quota is counted, it refuses everything that it counts.
 */
export function shares(of: Shares, opts: pulumi.CustomResourceOptions): pulumi.Resource[] {
  const { namespace, labels, quota: hard, limits } = of;
  const metadata = { name: "team", namespace, ...(labels === undefined ? {} : { labels }) };
  const spec = { limits: [{ type: "Container", ...limits }] };
  return [
    ...(hard === undefined
      ? []
      : [new k8s.core.v1.ResourceQuota(`${namespace}-quota`, { metadata, spec: { hard } }, opts)]),
    ...(limits === undefined
      ? []
      : [new k8s.core.v1.LimitRange(`${namespace}-limits`, { metadata, spec }, opts)]),
  ];
}

function members({ namespace, members: people }: TeamConfig, opts: pulumi.CustomResourceOptions): void {
  const { viewers, sshpod } = people;
  const isNobody = ({ users, groups }: typeof viewers) => isEmpty(users) && isEmpty(groups);
  if (!isNobody(viewers)) {
    const binding = sshpodRoleBinding({ name: "viewers", namespace, labels: {} }, viewers);
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
    new k8s.rbac.v1.RoleBinding(`${namespace}-viewers`, { ...binding, roleRef }, opts);
  }
  if (!isNobody(sshpod)) {
    const role = { name: "sshpod", namespace, labels: {}, exec: true };
    new k8s.rbac.v1.Role(`${namespace}-sshpod`, sshpodRole(role), opts);
    new k8s.rbac.v1.RoleBinding(`${namespace}-sshpod`, sshpodRoleBinding(role, sshpod), opts);
  }
}
