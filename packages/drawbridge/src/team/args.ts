/** The arguments of Team, what the platform decides for one team, and the ref that containers get. */
import { z } from "zod";
import { egressHost } from "../host/egress/args.ts";
import { defaultEtcdSize, defaultQuota } from "../istio/team-limits.ts";
import { arg, group, PlainReason, plainOffByDefault, plainOnByDefault } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";
import { another, crossing, judgedBy, leftOut, networks } from "../kit/guard.ts";
import { input, inputList } from "../kit/schema.ts";
import { nameOfObjects, namespaceInput, subjectsFields } from "../kubernetes/args.ts";
import { outsideAddress } from "../kubernetes/outside-host.ts";
import {
  cidr,
  dnsLabel,
  objectName,
  port,
  quantity,
  quotaName,
  resourceName,
  serviceName,
} from "../kubernetes/shapes.ts";

const limited = z.record(resourceName, input(quantity));

const accountSchema = group("ServiceAccountSubjectArgs", "A ServiceAccount.", {
  name: arg(input(objectName), "Its name."),
  namespace: arg(input(dnsLabel), "Its namespace."),
});

const deployersSchema = group(
  "TeamDeployersArgs",
  "People as the cluster's authentication names them, and ServiceAccounts.",
  {
    ...subjectsFields,
    serviceAccounts: arg(z.array(accountSchema).default([]), "ServiceAccounts, such as that of a pipeline.", {
      guard: judgedBy("accounts", "cluster-rights"),
    }),
  },
  { extends: ["SubjectsArgs"] },
);

export type DeployersParsed = z.output<typeof deployersSchema>;

const defaultQuotaTexts = Object.entries(defaultQuota).map(([kind, count]) => `${kind}: ${count}`);

const limitsSchema = group("TeamLimitsArgs", "Limits of one container of a pod, in Kubernetes' own names.", {
  default: arg(limited.optional(), "Limits of a container that states none."),
  defaultRequest: arg(limited.optional(), "Requests of a container that states none."),
  max: arg(limited.optional(), "The most that one container may ask for.", {
    guard: judgedBy("limits", "wall-removed"),
  }),
});

const rootSchema = group("TeamRootArgs", "What pods with root may be.", {
  allowedServiceAccountNames: arg(
    inputList(objectName).default([]),
    "ServiceAccounts that pods of the namespace may run as, besides its default one. A shell " +
      "there has the rights of each.",
    { default: "none", guard: judgedBy("root-accounts", "pod-security-lowered") },
  ),
  containersInside: plainOffByDefault(
    PlainReason.resources,
    "Whether its containers may start containers inside. Pods may then have SYS_ADMIN, NET_ADMIN and " +
      "SYS_PTRACE in their own user namespace, with which they mount and route in it, and Pod Security " +
      'is "privileged": only the policies still protect the node.',
    { default: "false", guard: crossing("pod-security-lowered", { when: true, isLater: true }) },
  ),
});

export type RootParsed = z.output<typeof rootSchema>;

const outsideHostSchema = group("TeamOutsideHostArgs", "A host outside of the cluster.", {
  address: arg(input(outsideAddress), "Its IPv4 or IPv6 address.", { example: '"10.20.0.5"' }),
  port: arg(input(port).default(22), "The port of its sshd."),
});

/** Fields that a team has in the platform's file too. */
export const teamFields = {
  deployers: arg(
    deployersSchema.optional(),
    "Who may bring the team's stack up. They get a role in the namespace with the rights for what drawbridge " +
      "makes there, and no more.",
    { effect: ["opens", "closes"], default: "- no role is made" },
  ),
  quota: arg(
    z.record(quotaName, input(quantity)).optional(),
    "The namespace's limits in all, in Kubernetes' own names: requests.cpu, requests.storage, pods. " +
      `${defaultQuotaTexts.join(", ")} are added, unless they are given.`,
    { effect: [], guard: judgedBy("limits", "wall-removed") },
  ),
  etcdSize: arg(
    input(quantity).optional(),
    "The most that the namespace's objects take in etcd, all that `quota` counts together: the policies refuse an " +
      "object that is larger than its part of it. etcd itself takes 2Gi, unless its operator says more.",
    {
      effect: ["closes"],
      default: defaultEtcdSize,
      example: '"256Mi"',
      guard: judgedBy("limits", "wall-removed"),
    },
  ),
  limits: arg(
    limitsSchema.optional(),
    "What a single container of a pod gets if it says nothing, and may have at most.",
    { effect: [] },
  ),
  root: arg(
    rootSchema.optional(),
    "Lets containers have root inside: policies hold the namespace's pods in user namespaces of their own, so " +
      'that root in the container maps to an unprivileged user on the node, and Pod Security is "baseline". Needs ' +
      "the right to write cluster-wide policies.",
    {
      effect: ["opens"],
      default: '- no root, and Pod Security "restricted"',
      guard: crossing("pod-security-lowered", { isLater: true }),
    },
  ),
  allowedPrivateNetworks: arg(
    inputList(cidr).default([]),
    "Private networks that the team's containers may reach, in CIDR notation. Each opens its hosts to everybody " +
      "with a shell there.",
    { effect: ["opens"], default: "none", guard: networks("network-wall") },
  ),
  allowedHosts: arg(
    inputList(egressHost).optional(),
    "Hosts of the internet that the team's containers may reach by name (`egress.hosts`), and no other address of it: " +
      "the admission policies refuse a container that names another one, or that reaches the internet without naming " +
      "any. With `[]` nothing of the internet is reached.",
    {
      effect: ["opens", "closes"],
      default: "- each container decides",
      example: '["pypi.org", "*.pythonhosted.org"]',
      guard: leftOut("network-wall", "the team's containers may reach the whole internet"),
    },
  ),
  outsideHosts: arg(
    z.record(serviceName, outsideHostSchema).default({}),
    "Hosts outside of the cluster, such as machines of a private network, by name. Each is a Service of the namespace, " +
      "to which the team's {@link SshRoute} of that `serviceName` leads. The gateway reaches it where its " +
      "`egress.outsideHosts` says so.",
    {
      effect: ["opens", "closes"],
      default: "none",
      example: '{ vm1: { address: "10.20.0.5" } }',
      guard: networks("route-wall", { ports: [22] }),
    },
  ),
};

export type OutsideHostParsed = z.output<typeof outsideHostSchema>;

export const teamSchema = group("TeamArgs", "Arguments of {@link Team}.", {
  namespace: arg(orLogicalName(namespaceInput), "The namespace, of one team.", {
    effect: ["data", "opens"],
    default: "the component's logical name",
    guard: another("network-wall"),
  }),
  createNamespace: plainOnByDefault(
    PlainReason.resources,
    "Whether to create it, with its Pod Security level and a team's marks. It is never deleted. `false` where " +
      "another program makes it, which then sets `allowedPrivateNetworks` and the level as well.",
    { effect: ["opens"], guard: crossing("network-wall", { when: false, isLater: true }) },
  ),
  ...teamFields,
  idle: plainOffByDefault(
    PlainReason.resources,
    "Whether its containers may sleep: its deployers then have the right to scale them, which they hand on.",
    { effect: ["opens"], default: "false", guard: "daily" },
  ),
});

export const teamPoliciesSchema = group("TeamPoliciesArgs", "Arguments of {@link TeamPolicies}.", {
  name: nameOfObjects("policies", { effect: ["opens", "closes"], guard: "daily" }),
});

export type TeamInput = z.input<typeof teamSchema>;
type TeamParsed = z.output<typeof teamSchema>;

/** A team's arguments with every default decided. */
export type TeamPlan = ReturnType<typeof planTeam>;

/** @param logicalName the component's name, the default for the namespace's */
export function planTeam(logicalName: string, args: TeamParsed) {
  return { ...args, namespace: args.namespace ?? logicalName };
}
