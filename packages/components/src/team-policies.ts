import { type TeamPoliciesObjects, teamPoliciesObjects, teamPoliciesSchema } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import type { TeamPoliciesArgs } from "./made/team.ts";
import { type Children, registerChildren } from "./register.ts";

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
  public readonly children: Children<TeamPoliciesObjects>;

  constructor(name: string, args: TeamPoliciesArgs = {}, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({ component: "TeamPolicies", name, schema: teamPoliciesSchema, args, opts });
    super("drawbridge:index:TeamPolicies", name, checked.inputs, opts);
    this.children = registerChildren(name, teamPoliciesObjects(checked.args.name ?? name), {
      parent: this,
      ...checked.child,
    });
    this.registerOutputs();
  }
}
