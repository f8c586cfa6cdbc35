/** Who and what the drill's platform has, by name. */
import { testDomain } from "../support/lab/cluster.ts";

export const gateway = "gw-drill";
export const frpServer = "frp-drill";
export const storageProxy = "files-drill";
/** A team has one container, of its own name. */
export const teams = ["drill-a", "drill-b", "drill-c"] as const;
export type Team = (typeof teams)[number];
/** Whose container is reached through frp, too. */
export const frpTeam: Team = "drill-a";
/** Whose namespace has the storage. */
export const storageTeam: Team = "drill-b";
export const storage = "files";
/** Whose container may be evicted; nobody else's may. */
export const evictableTeam: Team = "drill-c";

/** Whose container has a program beside sshd that knocks where it must not get in (invariants/isolation.ts). */
export const knockingTeam: Team = "drill-c";

/** What one types after `ssh`: one way into one container. */
export interface Door {
  readonly host: string;
  readonly team: Team;
  readonly way: "gateway" | "frp";
}

/** Every declared way into every container. */
export const doors: readonly Door[] = teams.flatMap((team): Door[] =>
  team === frpTeam
    ? (["gateway", "frp"] as const).map((way) => ({ host: `${team}.${way}`, team, way }))
    : [{ host: team, team, way: "gateway" }],
);

/** The first way into a container. */
export const hostOf = (team: Team): string => doors.find((door) => door.team === team)?.host ?? team;

/** A container that comes and goes, in the namespace of the evictable team. */
export const extraContainer = "drill-extra";

/** Two proxies, each on a node of its own where that is possible. */
export const proxies = 2;

/** How a CONNECT names a port of a team's container. */
export const authority = (team: string, port: number) => `${team}.${team}.${testDomain}:${port}`;
