/**
 * What the stacks of a platform and of a team share: the cluster, a team's place and people. Resources keep the names
 * that they had before there were components.
 */

import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { TeamArgs, TeamMembersArgs } from "../../generated/team.ts";
import { Team, TeamMembers, TeamPolicies } from "../../team/component.ts";
import type { TeamConfig } from "../schema.ts";

export function makeTeam(name: string, args: TeamArgs, opts: pulumi.ComponentResourceOptions): Team {
  const formerly = formerlyAlone((child) => (child === `${name}-namespace` ? name : child));
  const aliases = [{ name: `${name}-root`, type: "drawbridge:index:RootNamespace" }];
  return new Team(name, args, pulumi.mergeOptions({ ...formerly, aliases }, opts));
}

/** The policies on what teams write, where no SshGateway brings them. */
export function makeTeamPolicies(opts: pulumi.ComponentResourceOptions): void {
  const formerly = formerlyAlone((child) => child.replace(/^teams-admission-|-binding$/g, ""));
  new TeamPolicies("teams", {}, pulumi.mergeOptions(formerly, opts));
}

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
  const made = isOurs ? [makeTeam(namespace, args, opts)] : [];
  const formerly = pulumi.mergeOptions(formerlyAlone(), { ...opts, dependsOn: made });
  const people = { namespace, ...members } as TeamMembersArgs;
  if (Object.keys(members).length > 0) new TeamMembers(namespace, people, formerly);
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

/** Options of a component whose children stood alone, in the stack itself, under the names that `formerName` gives. */
function formerlyAlone(
  formerName: (child: string) => string = (child) => child,
): pulumi.ComponentResourceOptions {
  const transformation: pulumi.ResourceTransformation = ({ resource, name, props, opts }) => {
    if (pulumi.ComponentResource.isInstance(resource)) return undefined;
    const former = { name: formerName(name), parent: pulumi.rootStackResource };
    return { props, opts: pulumi.mergeOptions(opts, { aliases: [former] }) };
  };
  return { transformations: [transformation] };
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
