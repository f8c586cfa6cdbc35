/** No container ever reaches what its NetworkPolicies forbid: each knocks all the time, as long as it runs. */
import { eventually, type Laptop } from "../../../scripts/lib/lab/lab.ts";
import { labNodes } from "../../support/lab/nodes.ts";
import type { Invariant } from "../invariant.ts";
import { allowed, fixed, knocking, ownLog } from "../knocking.ts";
import { hostOf, knockingTeam, type Team, teams } from "../teams.ts";
import { type HeldScript, holdScript } from "./held.ts";

/** Seconds in which a prober says once that it has reached what it may. */
const bound = 60;

async function forbiddenTo(team: Team): Promise<string[]> {
  return [...fixed(team), ...(await labNodes()).map(({ address }) => `${address} 10250`)];
}

export const isolationHolds: Invariant = {
  name: "walls hold",
  async begin({ laptop }) {
    const probers = new Map<Team, HeldScript>();
    /** How many lines were read of what the prober of `knockingTeam` wrote. */
    let read = 0;
    for (const team of teams) {
      probers.set(team, holdScript(laptop, hostOf(team), knocking(await forbiddenTo(team))));
    }
    return {
      async look() {
        const found = await Promise.all(
          [...probers].map(async ([team, prober]) => {
            const lines: string[] = [];
            const late = await eventually(
              `a prober's knock at ${allowed} from ${team}`,
              async () => {
                const own = team === knockingTeam ? await ownKnocks(laptop, hostOf(team), read) : [];
                read += own.length;
                lines.push(...prober.take(), ...own);
                return lines.includes(`open ${allowed}`);
              },
              bound,
            ).then(
              () => [],
              (error: Error) => [error.message],
            );
            const opened = new Set(lines.filter((line) => /^open /.test(line) && line !== `open ${allowed}`));
            const breaches = [...opened].map((line) => `${team} reached what is forbidden: ${line}`);
            return { breaches, late };
          }),
        );
        return {
          breaches: found.flatMap(({ breaches }) => breaches),
          late: found.flatMap(({ late }) => late),
        };
      },
      end: async () => {
        await Promise.all([...probers.values()].map((prober) => prober.end()));
      },
    };
  },
};

/** What the container's own prober wrote, from one line on. It may have none yet. */
async function ownKnocks(laptop: Laptop, host: string, from: number): Promise<string[]> {
  const { stdout } = await laptop.ssh([host, `tail -n +${from + 1} ${ownLog}`]);
  return stdout === "" ? [] : stdout.trimEnd().split("\n");
}
