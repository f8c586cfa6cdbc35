/** What the platform decides for one team. */
import { z } from "zod";
import { arg } from "../common/arg.ts";
import { code } from "../common/fault.ts";
import { strict } from "../common/schema.ts";
import { cidr, dnsLabel, objectName, quantity } from "../common/shapes.ts";
import { defaultQuota } from "../common/shares.ts";
import { rootPodsArgs } from "./root-pods-args.ts";

const quantities = z.record(z.string(), quantity);

const subject = z.string().min(1, code("no-subject"));

const deployersSchema = strict({
  users: z.array(subject).default([]),
  groups: z.array(subject).default([]),
  serviceAccounts: z.array(strict({ name: objectName, namespace: dnsLabel })).default([]),
});

export type DeployersParsed = z.output<typeof deployersSchema>;

const added = Object.entries(defaultQuota).map(([kind, count]) => `${kind}: ${count}`);

export const teamQuota = arg(
  quantities.optional(),
  "The namespace's limits in all, in Kubernetes' own names: requests.cpu, requests.storage, pods. Who makes " +
    `the namespace adds ${added.join(", ")}, unless they are given.`,
  { effect: [] },
);

export const teamLimits = arg(
  strict({
    default: arg(quantities.optional(), "Limits of a container that states none."),
    defaultRequest: arg(quantities.optional(), "Requests of a container that states none."),
    max: arg(quantities.optional(), "The most that one container may ask for."),
  }).optional(),
  "What a single container of a pod gets if it says nothing, and may have at most.",
  { effect: [] },
);

/** One entry of the platform's `teams`. */
export const platformTeamSchema = strict({
  deployers: arg(
    deployersSchema.prefault({}),
    "Who may bring the team's stack up: people and service accounts, by Kubernetes' names.",
    { effect: ["opens", "closes"] },
  ),
  quota: teamQuota,
  limits: teamLimits,
  root: arg(
    strict(rootPodsArgs).optional(),
    "Lets containers have root inside: policies hold the namespace's pods in user namespaces, and Pod Security is baseline.",
    { effect: ["opens"] },
  ),
  egress: strict({
    allow: arg(
      z.array(cidr).default([]),
      "Private networks that the team's containers may reach. Each opens its hosts to everybody with a shell there.",
      { effect: ["opens"] },
    ),
  }).prefault({}),
});

export type PlatformTeam = z.output<typeof platformTeamSchema>;
