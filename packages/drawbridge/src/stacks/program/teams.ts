/** What the stacks of a platform and of a team share: the cluster, a team's place and people. */

import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { TeamArgs, TeamMembersArgs } from "../../generated/team.ts";
import { Team, TeamMembers } from "../../team/component.ts";
import type { TeamConfig } from "../schema.ts";

/** What a team's own file asks for; returns what its storages and containers wait for. */
export function ownTeam(team: TeamConfig, opts: pulumi.ComponentResourceOptions): pulumi.Resource[] {
  const { namespace, createNamespace, quota, etcdSize, limits, members } = team;
  const isOurs = createNamespace || [quota, etcdSize, limits].some((one) => one !== undefined);
  const args = {
    createNamespace,
    quota,
    etcdSize,
    limits,
    allowedPrivateNetworks: declaredNetworks(team),
  } as TeamArgs;
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

/**
 * Settings that the SDK would take from the environment of the machine on which the program runs, and the state would
 * keep: a laptop's and each CI job's differ, and lead to one cluster. The provider's own process reads its environment.
 */
const ofTheMachine = [
  "kubeconfig",
  "deleteUnreachable",
  "enablePatchForce",
  "enableServerSideApply",
  "skipUpdateUnreachable",
  "suppressDeprecationWarnings",
  "suppressHelmHookWarnings",
  "upsertExistingObjects",
] as const satisfies readonly (keyof k8s.ProviderArgs)[];

/** The cluster of the current kubeconfig. */
export function clusterProvider(): k8s.Provider {
  return new k8s.Provider("cluster", {
    // An output counts as set, so the SDK looks no further; one of nothing leaves the setting out.
    ...Object.fromEntries(ofTheMachine.map((setting) => [setting, pulumi.output(undefined)])),
    // Authorized keys and configuration change in place; a replaced object would be another one.
    enableConfigMapMutable: true,
    enableSecretMutable: true,
    // With the default of 50 requests a second the preview of a big stack waits for the client, not the cluster.
    kubeClientSettings: { qps: 500, burst: 1000 },
  });
}
