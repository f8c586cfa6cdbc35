/** No container reaches what its walls forbid, at any moment: each knocks all the time, from its first on. */
import { addresses } from "../../../packages/lab/src/cluster/addresses.ts";
import { eventually, type Laptop } from "../../support/lab.ts";
import { labNodes } from "../../support/nodes.ts";
import type { Invariant } from "../invariant.ts";
import { hostOf, knockingTeam, type Team, teams } from "../teams.ts";
import { type HeldScript, holdScript } from "./held.ts";

/** What is forbidden wherever a container runs. */
const fixed = (team: Team): string[] => [
  ...teams.filter((other) => other !== team).map((other) => `${other}.${other}.svc.cluster.local 22`),
  `${addresses.apiServerService} 443`,
  `${addresses.controlPlane} ${addresses.apiServerPort}`,
  `${addresses.controlPlane} 15010`,
  `${addresses.controlPlane} 15012`,
];

/** What each may reach: without it a prober that reaches nothing at all would be content. */
const allowed = `${addresses.dnsService} 53`;
/** Seconds in which a prober says once that it has reached what it may. */
const bound = 60;

/** A line for each address that opened, for ever. */
const knocking = (forbidden: readonly string[]) => `
knock() { timeout 1 bash -c "exec 3<>/dev/tcp/$1/$2" 2>/dev/null && echo "open $1 $2"; }
while :; do
${[...forbidden, allowed].map((door) => `  knock ${door}`).join("\n")}
  sleep 0.2
done
`;

/** Where the prober of a container that runs one by itself writes what it reached. */
const ownLog = "knocks";

/** The program of a container that knocks from its first moment on. */
export const knockingFromTheStart: readonly string[] = [
  "bash",
  "-c",
  `cd; exec >> ${ownLog} 2>&1${knocking(fixed(knockingTeam))}`,
];

async function forbiddenTo(team: Team): Promise<string[]> {
  return [...fixed(team), ...(await labNodes()).map(({ address }) => `${address} 10250`)];
}

export const wallsHold: Invariant = {
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
