/**
 * A session ends only with its own pod, its own proxy or its own frp, loses nothing, and goes on once a fault is healed; a
 * client whose session is lost is told in time.
 */
import { type CounterSession, eventually } from "../../../scripts/lib/lab/lab.ts";
import type { Invariant, Scene } from "../invariant.ts";
import type { Platform } from "../platform.ts";
import { type Door, doors } from "../teams.ts";

const perDoor = 2;
/** Seconds in which a session that stood still says something again: TCP tries ever more rarely. */
const bound = 60;
/**
 * Seconds after which a client knows that its session is lost though nothing comes back: the generated ssh_config asks
 * every 30 s and gives up at the seventh time.
 */
const toldBound = 7 * 30 + 10;

interface Place {
  readonly door: Door;
  /** None where none could be opened. */
  session: CounterSession | undefined;
}

interface Held extends Place {
  session: CounterSession;
}

const open = async ({ laptop }: Platform, { host }: Door): Promise<CounterSession> => {
  const session = laptop.openCounter(host, 1000);
  await session.reached(2, 120);
  return session;
};

/** Whether it says something new, or ends, in time. */
async function moves({ session }: Held, seconds: number): Promise<boolean> {
  const before = session.lines.length;
  const moved = async () => !session.alive || session.lines.length > before;
  return eventually("a line", moved, seconds).catch(() => false);
}

/** Whether its pod, or the frp that it goes through, was the fault's to end; of proxies only a number is known. */
function isExplained({ door: { team, way } }: Held, { mayEnd }: Scene): boolean {
  return mayEnd.containers.includes(team) || (way === "frp" && mayEnd.frp);
}

export const sessionsHold: Invariant = {
  name: "sessions hold",
  async begin(platform) {
    const places: Place[] = [];
    for (const door of doors.flatMap((door) => Array<Door>(perDoor).fill(door))) {
      places.push({ door, session: await open(platform, door) });
    }
    return {
      async look(scene) {
        const held = places.filter((place): place is Held => place.session !== undefined);
        const mayBeLost = (one: Held) => scene.mayEnd.tunnels > 0 || isExplained(one, scene);
        const untilTold = Math.max(bound, toldBound - (Date.now() - scene.injected) / 1000);
        const moving = await Promise.all(held.map((one) => moves(one, mayBeLost(one) ? untilTold : bound)));
        const late = held.flatMap((one, index) => {
          if (moving[index]) return [];
          return mayBeLost(one)
            ? [`a client of ${one.door.host} was not told within ${toldBound} s that its session was lost`]
            : [`a session to ${one.door.host} stood still for ${bound} s after the fault was healed`];
        });
        const breaches = held.flatMap(({ door, session }) =>
          session.unbroken ? [] : [`a session to ${door.host} lost a line`],
        );
        const ended = held.filter(({ session }) => !session.alive);
        const { tunnels, grace } = scene.mayEnd;
        const unexplained = ended.filter((one) => !isExplained(one, scene));
        if (unexplained.length > tunnels) {
          const to = unexplained
            .map(({ door, session }) => `${door.host} (${session.stderr.trim()})`)
            .join(", ");
          breaches.push(`${unexplained.length} sessions ended where ${tunnels} may: ${to}`);
        }
        const lasted = (session: CounterSession) => ((session.endedAt ?? 0) - scene.injected) / 1000;
        const early = tunnels === 0 ? [] : unexplained.filter(({ session }) => lasted(session) < grace);
        for (const { door, session } of early) {
          breaches.push(
            `a session to ${door.host} ended after ${lasted(session)} s, within the grace of ${grace} s`,
          );
        }
        const told = ended.map(({ session }) => lasted(session));
        const kept = held.filter(({ session }, index) => session.alive && session.unbroken && moving[index]);
        for (const place of places.filter((one) => !kept.includes(one as Held))) {
          await place.session?.close();
          place.session = await open(platform, place.door).catch((error: Error) => {
            late.push(`no new session to ${place.door.host}: ${error.message}`);
            return undefined;
          });
        }
        return {
          breaches,
          late,
          ended: ended.length,
          ...(told.length === 0 ? {} : { told: Math.round(Math.max(...told) * 100) / 100 }),
        };
      },
      end: async () => {
        await Promise.all(places.map(({ session }) => session?.close()));
      },
    };
  },
};
