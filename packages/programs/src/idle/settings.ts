/** What a container's own file says of its sleep, as its StatefulSet carries it: an annotation, every default decided. */
import type { IdleSettings, Schedule } from "../made/contract.ts";
import { flag, list, maybe, oneOf, type Read, record, text, Unreadable, whole } from "../read.ts";

const seconds = whole(0, 100 * 86_400);
const minute = whole(0, 7 * 24 * 60);

const interval: Read<readonly [number, number]> = (value, at) => {
  const [from, to, ...more] = list(minute, 2)(value, at);
  if (from === undefined || to === undefined || more.length > 0) throw new Unreadable(`${at} is not a pair`);
  return [from, to];
};

/** The days of a week, each in two parts. */
const schedule = record({ timeZone: text("a time zone", isTimeZone), minutes: list(interval, 14) });

/** A field that a later version adds is `maybe` here, for containers whose stacks know nothing of it yet. */
const readSettings = record({
  stopAfter: seconds,
  silentSessions: seconds,
  warning: seconds,
  keepAwake: list(schedule, 100),
  wake: oneOf("onConnect", "byCommand", "never"),
  maxHold: whole(0, 86_400),
  port: whole(1, 65_535),
  running: flag,
  dryRun: flag,
  gateway: text("a gateway's name", undefined, 400),
  reportEvery: seconds,
  gpuAbovePercent: maybe(whole(0, 100)),
});

/** Many schedules fit; a longer text would only cost time and memory that all containers share. */
const annotation = text("an annotation's text of at most 32768 characters", undefined, 32_768);

/** Reads the annotation, which anybody who deploys may have written. */
export const parseSettings: Read<IdleSettings> = (value, at) => {
  const json = annotation(value, at);
  let settings: unknown;
  try {
    settings = JSON.parse(json);
  } catch {
    throw new Unreadable(`${at} is not JSON`);
  }
  return readSettings(settings, at);
};

/** Whether a schedule keeps the container awake now: by the local time of its time zone, whatever daylight saving does. */
export function isScheduled(schedules: readonly Schedule[], now: Date): boolean {
  return schedules.some(({ timeZone, minutes }) => {
    const minute = minuteOfWeek(now, timeZone);
    return minutes.some(([from, to]) => minute >= from && minute < to);
  });
}

/** Names alone, some hundreds: a clock is kept for each zone, and offsets from UTC would be without number. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  // However somebody spells it, so that the clocks are no more than there are zones.
  const zone = timeZone.toLowerCase();
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    clocks.set(zone, clock);
  }
  return clock;
}

/** Minutes since Monday 00:00 on the clocks of a time zone. */
export function minuteOfWeek(time: Date, timeZone: string): number {
  const parts = Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  return (days.indexOf(parts.weekday ?? "") * 24 + Number(parts.hour)) * 60 + Number(parts.minute);
}
