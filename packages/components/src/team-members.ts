import { type TeamMembersObjects, teamMembersObjects, teamMembersSchema } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import type { TeamMembersArgs } from "./made/team.ts";
import { type Children, registerChildren } from "./register.ts";

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
  public readonly children: Children<TeamMembersObjects>;

  constructor(name: string, args: TeamMembersArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({ component: "TeamMembers", name, schema: teamMembersSchema, args, opts });
    super("drawbridge:index:TeamMembers", name, checked.inputs, opts);
    this.children = registerChildren(name, teamMembersObjects(checked.args), {
      parent: this,
      ...checked.child,
    });
    this.registerOutputs();
  }
}
