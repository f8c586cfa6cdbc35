/** A session ends only with its own pod or its own proxy, loses nothing, and goes on once a fault is healed. */
import { type CounterSession, eventually } from "../../support/lab.ts";
import type { Invariant } from "../invariant.ts";
import { type Platform, teams } from "../platform.ts";

const perContainer = 2;
/** Seconds in which a session that stood still says something again: TCP tries ever more rarely. */
const bound = 60;

interface Held {
  readonly team: string;
  session: CounterSession;
}

const open = async ({ laptop }: Platform, team: string): Promise<CounterSession> => {
  const session = laptop.openCounter(team, 500);
  await session.reached(2, 120);
  return session;
};

/** Whether it says something new, or ends, in time. */
async function moves({ session }: Held): Promise<boolean> {
  const before = session.lines.length;
  const moved = async () => !session.alive || session.lines.length > before;
  return eventually("a line", moved, bound).catch(() => false);
}

export const sessionsHold: Invariant = {
  name: "sessions hold",
  async begin(platform) {
    const places = teams.flatMap((team) => Array<string>(perContainer).fill(team));
    const held: Held[] = [];
    for (const team of places) held.push({ team, session: await open(platform, team) });
    return {
      async look({ containers, tunnels }) {
        const moving = await Promise.all(held.map(moves));
        const breaches = held.flatMap(({ team, session }, index) => [
          ...(moving[index]
            ? []
            : [`a session to ${team} stood still for ${bound} s after the fault was healed`]),
          ...(session.unbroken ? [] : [`a session to ${team} lost a line`]),
        ]);
        const ended = held.filter(({ session }) => !session.alive);
        const unexplained = ended.filter(({ team }) => !containers.includes(team));
        if (unexplained.length > tunnels) {
          const to = unexplained.map(({ team, session }) => `${team} (${session.stderr.trim()})`).join(", ");
          breaches.push(`${unexplained.length} sessions ended where ${tunnels} may: ${to}`);
        }
        for (const one of held) {
          if (one.session.alive && one.session.unbroken) continue;
          await one.session.close();
          one.session = await open(platform, one.team);
        }
        return { breaches, ended: ended.length };
      },
      end: async () => {
        await Promise.all(held.map(({ session }) => session.close()));
      },
    };
  },
};
