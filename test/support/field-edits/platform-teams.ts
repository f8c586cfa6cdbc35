import type { FieldEdits } from "./edit.ts";

const deployers = (who: object) => ({ deployers: who });

/** Edits of a team in the platform's file. */
export const platformTeamEdits: FieldEdits = {
  "deployers.users": { to: deployers({ users: ["alice"] }), verdict: "harmless gains" },
  "deployers.groups": {
    from: deployers({ groups: ["team-a", "all"] }),
    to: deployers({ groups: ["team-a"] }),
    verdict: "harmless loses",
  },
  "deployers.serviceAccounts[0].name": {
    from: deployers({ serviceAccounts: [{ name: "ci", namespace: "build" }] }),
    to: deployers({ serviceAccounts: [{ name: "other", namespace: "build" }] }),
    verdict: "cluster-rights harmless loses",
  },
  "deployers.serviceAccounts[0].namespace": {
    from: deployers({ serviceAccounts: [{ name: "ci", namespace: "build" }] }),
    to: deployers({ serviceAccounts: [{ name: "ci", namespace: "other" }] }),
    verdict: "cluster-rights harmless loses",
  },
  quota: { to: { quota: { "requests.cpu": "16" } } },
  "limits.default": { to: { limits: { default: { memory: "256Mi" } } } },
  "limits.defaultRequest": { to: { limits: { defaultRequest: { cpu: "20m" } } } },
  "limits.max": { to: { limits: { max: { memory: "64Gi" } } } },
  "root.allowedServiceAccountNames": {
    to: { root: { allowedServiceAccountNames: ["buckets"] } },
    verdict: "pod-security-lowered harmless",
  },
  "root.containersInside": {
    from: { root: {} },
    to: { root: { containersInside: true } },
    verdict: "pod-security-lowered harmless",
  },
  allowedPrivateNetworks: {
    to: { allowedPrivateNetworks: ["10.7.0.0/16"] },
    verdict: "network-wall harmless",
  },
  outsideHosts: {
    from: { outsideHosts: { vm1: { address: "10.20.0.5", port: 2022 } } },
    to: { outsideHosts: { vm1: { address: "10.20.0.6" } } },
    verdict: "route-wall harmless loses",
  },
};
