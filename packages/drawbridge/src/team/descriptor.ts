import { descriptor, noSecrets } from "../kubernetes/descriptor.ts";
import { planTeam, teamPoliciesSchema, teamSchema } from "./args.ts";
import { teamMembersObjects, teamMembersSchema } from "./members.ts";
import { teamObjects, teamPoliciesObjects } from "./objects.ts";

export const team = descriptor({
  title: "Team",
  folder: "team",
  place: "team",
  args: teamSchema,
  plan: planTeam,
  secrets: noSecrets,
  objects: teamObjects,
  names: ({ namespace }) => [{ path: "namespace", name: namespace, of: "namespace" }],
  keepsData: true,
  isWall: true,
});

export const teamMembers = descriptor({
  title: "TeamMembers",
  folder: "team",
  place: "team",
  isWay: true,
  args: teamMembersSchema,
  plan: (_, args) => args,
  secrets: noSecrets,
  objects: teamMembersObjects,
});

export const teamPolicies = descriptor({
  title: "TeamPolicies",
  folder: "team",
  place: "cluster",
  args: teamPoliciesSchema,
  plan: (name, args) => args.name ?? name,
  secrets: noSecrets,
  objects: teamPoliciesObjects,
  isWall: true,
});
