import * as pulumi from "@pulumi/pulumi";
import type { TeamChildren, TeamMembersChildren, TeamPoliciesChildren } from "../generated/children.ts";
import type { TeamArgs, TeamMembersArgs, TeamPoliciesArgs, TeamRef } from "../generated/team.ts";
import { prepare } from "../kubernetes/registration/construct.ts";
import { refOf } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { team, teamMembers, teamPolicies } from "./descriptor.ts";
import { teamRef } from "./ref.ts";

/**
 * A team's place, as the platform makes it: a namespace with its Pod Security level and marks, in which nothing is reached
 * without a policy that says so, with a quota, and a role for the team's deployers. Who else may get in is
 * said by {@link TeamMembers}. It takes the rights of a platform.
 *
 * @example
 * ```ts
 * const team = new Team("team-a", { deployers: { groups: ["team-a-deployers"] }, quota: { "requests.cpu": "16" } });
 * new DevContainer("dev1", { namespace: team.namespace, … });
 * ```
 */
export class Team extends pulumi.ComponentResource {
  /** The namespace, known when everything stands in it that must stand before a pod. */
  public readonly namespace!: pulumi.Output<string>;
  /** What its containers need to know of it, in this program and in others: `team`. */
  public readonly ref!: pulumi.Output<TeamRef>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children!: TeamChildren;

  constructor(name: string, args: TeamArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, register } = prepare(team, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    this.children = register(this).children;
    // No pod waits for the deployer's rights.
    const { deployer, "deployer-binding": binding, ...first } = this.children;
    const made = Object.values<pulumi.Resource | undefined>(first).filter((one) => one !== undefined);
    const ref = refOf<TeamRef>(teamRef(plan), made);
    setOutputs<Team>(this, { namespace: ref.namespace, ref });
  }
}

/**
 * Who may look into a team's namespace, and get into its pods over the Kubernetes API. It takes the rights of the team's
 * deployer.
 *
 * @example
 * ```ts
 * new TeamMembers("team-a", { namespace: "team-a", viewers: { groups: ["team-a"] } });
 * ```
 */
export class TeamMembers extends pulumi.ComponentResource {
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children!: TeamMembersChildren;

  constructor(name: string, args: TeamMembersArgs, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, register } = prepare(teamMembers, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    this.children = register(this).children;
    this.registerOutputs();
  }
}

/**
 * The admission policies on what teams write, once in a cluster in which no {@link SshGateway} brings them: with frp or
 * sshpod alone. Without them a team's NetworkPolicies and Services may reach what is not the team's.
 *
 * @example
 * ```ts
 * new TeamPolicies("teams");
 * ```
 */
export class TeamPolicies extends pulumi.ComponentResource {
  /** The component's Kubernetes resources by the suffix of their names. */
  public readonly children!: TeamPoliciesChildren;

  constructor(name: string, args: TeamPoliciesArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, register } = prepare(teamPolicies, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    this.children = register(this).children;
    this.registerOutputs();
  }
}
