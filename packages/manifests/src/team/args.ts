/** What the platform decides for one team. */
import { z } from "zod";
import { strict } from "../common/schema.ts";
import { cidr, dnsLabel, objectName, quantity } from "../common/shapes.ts";
import { teamQuota } from "../common/shares.ts";
import { rootPodsArgs } from "../root-namespace/args.ts";

const quantities = z.record(z.string(), quantity);

const subject = z
  .string()
  .min(1, { error: "is empty; give the name that the cluster's authentication gives" });

const deployersSchema = strict({
  users: z.array(subject).default([]),
  groups: z.array(subject).default([]),
  serviceAccounts: z.array(strict({ name: objectName, namespace: dnsLabel })).default([]),
});

export type DeployersParsed = z.output<typeof deployersSchema>;

export const teamQuotaSchema = quantities.describe(
  `The namespace's limits in all, in Kubernetes' own names: requests.cpu, requests.storage, pods. Who makes the namespace adds ${Object.entries(
    teamQuota,
  )
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(", ")}, unless they are given.`,
);

export const teamLimitsSchema = strict({
  default: quantities.optional().describe("Limits of a container that states none."),
  defaultRequest: quantities.optional().describe("Requests of a container that states none."),
  max: quantities.optional().describe("The most that one container may ask for."),
}).describe("What a single container of a pod gets if it says nothing, and may have at most.");

/** One entry of the platform's `teams`. */
export const platformTeamSchema = strict({
  deployers: deployersSchema
    .prefault({})
    .describe("Who may bring the team's stack up: people and service accounts, by Kubernetes' names."),
  quota: teamQuotaSchema.optional(),
  limits: teamLimitsSchema.optional(),
  root: strict(rootPodsArgs)
    .optional()
    .describe(
      "Lets containers have root inside: policies hold the namespace's pods in user namespaces, and Pod Security is baseline.",
    ),
  egress: strict({
    allow: z
      .array(cidr)
      .default([])
      .describe(
        "Private networks that the team's containers may reach. Each opens its hosts to everybody with a shell there.",
      ),
  }).prefault({}),
});

export type PlatformTeam = z.output<typeof platformTeamSchema>;
