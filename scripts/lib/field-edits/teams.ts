import { bob } from "./container-base.ts";
import type { Args, FieldEdits } from "./edit.ts";

/** What every team of the test has: a namespace of its own. */
export const teamBase = (name: string): Args => ({ namespace: name });

/** Edits of what the namespace may use, in a team's file and in the platform's. */
export const shareEdits: FieldEdits = {
  quota: { value: { "requests.cpu": "16" } },
  etcdSize: { value: "256Mi", verdict: "harmless loses" },
  "limits.default": { value: { memory: "256Mi" } },
  "limits.defaultRequest": { value: { cpu: "20m" } },
  "limits.max": { value: { memory: "64Gi" } },
};

export const teamEdits: FieldEdits = {
  // Homes cannot leave their namespace, so everything in it would be made anew.
  namespace: { value: "renamed", verdict: "host-key-lost volume-lost wall-removed restarts gains loses" },
  // There is no Team then, which brings the policy that denies everything.
  createNamespace: { value: false, verdict: "wall-removed harmless" },
  ...shareEdits,
  // The same holds for the platform's people, in each team's stack that names them.
  people: { value: { bob: { keys: [bob] } } },
  "members.viewers.users": { value: ["alice"] },
  "members.viewers.groups": {
    from: { members: { viewers: { users: ["alice"] } } },
    value: ["team-a"],
    verdict: "harmless gains",
  },
  "members.sshpod.users": { value: ["alice"] },
  "members.sshpod.groups": {
    from: { members: { sshpod: { users: ["alice"], groups: ["team-a", "all"] } } },
    value: ["team-a"],
    verdict: "harmless loses",
  },
};
