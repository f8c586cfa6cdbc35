import { below, type Trials, type Tried } from "../kit/trials.fixture.ts";
import { subjectsTrials } from "../kubernetes/args.trials.ts";
import type { teamPoliciesSchema, teamSchema } from "./args.ts";
import type { teamMembersSchema } from "./members.ts";

const byAccount = { deployers: { serviceAccounts: [{ name: "ci", namespace: "build" }] } };

/** Of what the namespace may use, in a team's file and in the platform's. */
export const shareTrials = {
  quota: { value: { "requests.cpu": "16" } },
  etcdSize: { value: "256Mi", verdict: "harmless loses" },
  "limits.default": { value: { memory: "256Mi" } },
  "limits.defaultRequest": { value: { cpu: "20m" } },
  "limits.max": { value: { memory: "64Gi" } },
};

export const Team: Tried = {
  base: () => ({ deployers: {} }),
  trials: {
    namespace: { value: "renamed", verdict: "network-wall volume-lost harmless" },
    createNamespace: { value: false, verdict: "network-wall harmless" },
    "deployers.users": { value: ["alice"], verdict: "harmless gains" },
    "deployers.groups": {
      from: { deployers: { groups: ["team-a", "all"] } },
      value: ["team-a"],
      verdict: "harmless loses",
    },
    "deployers.serviceAccounts[0].name": {
      from: byAccount,
      value: "other",
      verdict: "cluster-rights harmless loses",
    },
    "deployers.serviceAccounts[0].namespace": {
      from: byAccount,
      value: "other",
      verdict: "cluster-rights harmless loses",
    },
    ...shareTrials,
    "root.allowedServiceAccountNames": { value: ["buckets"], verdict: "pod-security-lowered harmless" },
    "root.containersInside": { from: { root: {} }, value: true, verdict: "pod-security-lowered harmless" },
    allowedPrivateNetworks: { value: ["10.7.0.0/16"], verdict: "network-wall harmless" },
    allowedHosts: {
      from: { allowedHosts: ["pypi.org"] },
      value: ["*.pypi.org"],
      verdict: "harmless gains loses",
    },
    outsideHosts: {
      from: { outsideHosts: { vm1: { address: "10.20.0.5", port: 2022 } } },
      value: { vm1: { address: "10.20.0.6", port: 2022 } },
      verdict: "route-wall harmless loses",
    },
    idle: { from: { deployers: { users: ["alice"] } }, value: true },
  } satisfies Trials<typeof teamSchema>,
  full: {
    ...{ ...byAccount, idle: true, allowedPrivateNetworks: ["10.1.0.0/16", "fd00::/8"] },
    allowedHosts: ["pypi.org", "*.example.com"],
    deployers: { users: ["alice"], groups: ["team-a"], ...byAccount.deployers },
    root: { containersInside: true, allowedServiceAccountNames: ["buckets"] },
    outsideHosts: { vm1: { address: "10.20.0.5", port: 2022 } },
    limits: { default: { memory: "256Mi" } },
  },
};

export const TeamMembers: Tried = {
  base: (name) => ({ namespace: name }),
  trials: {
    namespace: {
      from: { viewers: { users: ["alice"] } },
      value: "team-b",
      verdict: "cluster-rights harmless",
    },
    ...below("viewers", subjectsTrials({ viewers: { groups: ["all"] } })),
    ...below("sshpod", subjectsTrials({ sshpod: { groups: ["all"] } })),
  } satisfies Trials<typeof teamMembersSchema>,
  full: { viewers: { users: ["alice"] }, sshpod: { groups: ["all"] } },
};

export const TeamPolicies: Tried = {
  base: () => ({}),
  trials: { name: { value: "renamed", verdict: "harmless gains loses" } } satisfies Trials<
    typeof teamPoliciesSchema
  >,
};
