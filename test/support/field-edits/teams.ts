import { bob } from "./container-base.ts";
import type { Args, FieldEdits } from "./edit.ts";

/** What every team of the test has: a namespace of its own. */
export const teamBase = (name: string): Args => ({ namespace: name });

const alice = { users: ["alice"] };

export const teamEdits: FieldEdits = {
  // Homes cannot leave their namespace, so everything in it would be made anew.
  namespace: { to: { namespace: "renamed" }, verdict: "host-key-lost volume-lost restarts gains loses" },
  createNamespace: { to: { createNamespace: false }, verdict: "harmless" },
  quota: { to: { quota: { "requests.cpu": "16" } }, verdict: "harmless" },
  "limits.default": { to: { limits: { default: { memory: "256Mi" } } }, verdict: "harmless" },
  "limits.defaultRequest": { to: { limits: { defaultRequest: { cpu: "20m" } } }, verdict: "harmless" },
  "limits.max": { to: { limits: { max: { memory: "64Gi" } } }, verdict: "harmless" },
  // Of the platform's people the same holds, for each team's stack that names them.
  people: { to: { people: { bob: { keys: [bob] } } }, verdict: "harmless gains" },
  "members.viewers.users": { to: { members: { viewers: alice } }, verdict: "harmless gains" },
  "members.viewers.groups": {
    from: { members: { viewers: alice } },
    to: { members: { viewers: { groups: ["team-a"] } } },
    verdict: "harmless gains",
  },
  "members.sshpod.users": { to: { members: { sshpod: alice } }, verdict: "harmless gains" },
  "members.sshpod.groups": {
    from: { members: { sshpod: { users: ["alice"], groups: ["team-a", "all"] } } },
    to: { members: { sshpod: { groups: ["team-a"] } } },
    verdict: "harmless loses",
  },
};
