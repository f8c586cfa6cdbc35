import { bob } from "./container-base.ts";
import type { Args, FieldEdits } from "./edit.ts";

/** What every team of the test has: a namespace of its own. */
export const teamBase = (name: string): Args => ({ namespace: name });

const alice = { users: ["alice"] };

export const teamEdits: FieldEdits = {
  // Homes cannot leave their namespace, so everything in it would be made anew.
  namespace: {
    to: { namespace: "renamed" },
    verdict: "host-key-lost volume-lost wall-removed restarts gains loses",
  },
  // There is no Team then, which brings the policy that denies everything.
  createNamespace: { to: { createNamespace: false }, verdict: "wall-removed harmless" },
  quota: { to: { quota: { "requests.cpu": "16" } } },
  "limits.default": { to: { limits: { default: { memory: "256Mi" } } } },
  "limits.defaultRequest": { to: { limits: { defaultRequest: { cpu: "20m" } } } },
  "limits.max": { to: { limits: { max: { memory: "64Gi" } } } },
  // The same holds for the platform's people, in each team's stack that names them.
  people: { to: { people: { bob: { keys: [bob] } } } },
  "members.viewers.users": { to: { members: { viewers: alice } } },
  "members.viewers.groups": {
    from: { members: { viewers: alice } },
    to: { members: { viewers: { groups: ["team-a"] } } },
    verdict: "harmless gains",
  },
  "members.sshpod.users": { to: { members: { sshpod: alice } } },
  "members.sshpod.groups": {
    from: { members: { sshpod: { users: ["alice"], groups: ["team-a", "all"] } } },
    to: { members: { sshpod: { groups: ["team-a"] } } },
    verdict: "harmless loses",
  },
};
