/** What the stacks of a platform and of a team share: the cluster, a team's place and people. */

import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { TeamArgs, TeamMembersArgs } from "../../generated/team.ts";
import { Team, TeamMembers } from "../../team/component.ts";
import type { TeamConfig } from "../schema.ts";

/** What a team's own file asks for; returns what its storages and containers wait for. */
export function ownTeam(team: TeamConfig, opts: pulumi.ComponentResourceOptions): pulumi.Resource[] {
  const { namespace, createNamespace, quota, limits, members } = team;
  const isOurs = createNamespace || quota !== undefined || limits !== undefined;
  const args = { createNamespace, quota, limits, allowedPrivateNetworks: declaredNetworks(team) } as TeamArgs;
  const made = isOurs ? [new Team(namespace, args, opts)] : [];
  const people = { namespace, ...members } as TeamMembersArgs;
  if (Object.keys(members).length > 0) {
    new TeamMembers(namespace, people, { ...opts, dependsOn: made });
  }
  return made;
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

/** The cluster of the current kubeconfig. */
export function clusterProvider(): k8s.Provider {
  return new k8s.Provider("cluster", {
    // Authorized keys and configuration change in place; a replaced object would be another one.
    enableConfigMapMutable: true,
    enableSecretMutable: true,
    // With the default of 50 requests a second the preview of a big stack waits for the client, not the cluster.
    kubeClientSettings: { qps: 500, burst: 1000 },
  });
}
