import type { FieldEdits } from "./edit.ts";
import { shareEdits } from "./teams.ts";

const byAccount = { deployers: { serviceAccounts: [{ name: "ci", namespace: "build" }] } };

/** Edits of a team in the platform's file. */
export const platformTeamEdits: FieldEdits = {
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
  ...shareEdits,
  "root.allowedServiceAccountNames": { value: ["buckets"], verdict: "pod-security-lowered harmless" },
  "root.containersInside": { from: { root: {} }, value: true, verdict: "pod-security-lowered harmless" },
  allowedPrivateNetworks: { value: ["10.7.0.0/16"], verdict: "network-wall harmless" },
  outsideHosts: {
    from: { outsideHosts: { vm1: { address: "10.20.0.5", port: 2022 } } },
    value: { vm1: { address: "10.20.0.6", port: 2022 } },
    verdict: "route-wall harmless loses",
  },
};
