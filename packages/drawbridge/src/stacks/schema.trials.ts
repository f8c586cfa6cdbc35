import { bob } from "../host/base.trials.ts";
import type { Trials, Tried } from "../kit/trials.fixture.ts";
import { shareTrials } from "../team/args.trials.ts";
import type { teamFileSchema } from "./schema.ts";

/** What a team's file hands on to its containers, routes and storages, whose own arguments it is then. */
type HandedOn = "platform" | "gateway" | "frp" | "egressGateway" | "team" | "storageProxy";
type Parts = "containers" | "containerDefaults" | "routes" | "routeDefaults" | "storages" | "storageDefaults";

/** Of a team's file: a namespace of its own. */
export const teamFile = {
  base: (name: string) => ({ namespace: name }),
  trials: {
    // Homes cannot leave their namespace, so everything in it would be made anew.
    namespace: { value: "team-b", verdict: "host-key-lost volume-lost wall-removed restarts gains loses" },
    // There is no Team then, which brings the policy that denies everything.
    createNamespace: { value: false, verdict: "wall-removed harmless" },
    ...shareTrials,
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
  } satisfies Omit<Trials<typeof teamFileSchema, HandedOn | Parts>, HandedOn | Parts>,
} satisfies Tried;
