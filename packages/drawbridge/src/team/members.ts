/** TeamMembers: who may look into a team's namespace, and get into its pods over the Kubernetes API. */
import type { z } from "zod";
import { sshpodRole, sshpodRoleBinding } from "../host/ways/sshpod-role.ts";
import { arg, group } from "../kit/arg.ts";
import { judgedBy } from "../kit/guard.ts";
import { isEmpty } from "../kit/input.ts";
import { namespaceInput, type Subjects, subjectsSchema } from "../kubernetes/args.ts";
import { declared } from "../kubernetes/objects.ts";
import { peopleSubjects, rbacGroup } from "../kubernetes/rbac.ts";

/** What may stand in a team's file too. */
export const memberFields = {
  viewers: arg(subjectsSchema.optional(), "They see every object of the namespace but Secrets."),
  sshpod: arg(subjectsSchema.optional(), "They get into every pod over the Kubernetes API, the sshpod way."),
};

export const teamMembersSchema = group("TeamMembersArgs", "Arguments of {@link TeamMembers}.", {
  namespace: arg(namespaceInput, "The team's namespace: the {@link Team}, or its name.", {
    effect: ["opens"],
    guard: judgedBy("members", "cluster-rights"),
  }),
  ...memberFields,
});

type TeamMembersParsed = z.output<typeof teamMembersSchema>;

export function teamMembersObjects({ namespace, viewers, sshpod }: TeamMembersParsed) {
  const role = { name: "sshpod", namespace, exec: true };
  return {
    viewers:
      hasMembers(viewers) &&
      declared<"RoleBinding">({
        apiVersion: `${rbacGroup}/v1`,
        kind: "RoleBinding",
        metadata: { name: "viewers", namespace },
        roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: "view" },
        subjects: peopleSubjects(viewers.users, viewers.groups) as never,
      }),
    sshpod: hasMembers(sshpod) && declared(sshpodRole(role)),
    "sshpod-binding": hasMembers(sshpod) && declared(sshpodRoleBinding(role, sshpod), { suffix: "sshpod" }),
  };
}

export type TeamMembersObjects = ReturnType<typeof teamMembersObjects>;

/** A list that comes later perhaps has someone in it. */
const hasMembers = (subjects: Subjects | undefined): subjects is Subjects =>
  subjects !== undefined && !(isEmpty(subjects.users) && isEmpty(subjects.groups));
