/** Schedules that keep a container awake, by the clocks of their time zones. */
import type { Schedule } from "@drawbridge-iac/drawbridge/src/host/idle/contract";

/** Whether a schedule keeps the container awake now, daylight saving included. */
export function isScheduled(schedules: readonly Schedule[], now: Date): boolean {
  return schedules.some(({ timeZone, minutes }) => {
    const minute = minuteOfWeek(now, timeZone);
    return minutes.some(([from, to]) => minute >= from && minute < to);
  });
}

/** Whether it names a time zone. Offsets from UTC are refused, because a clock is kept for each zone. */
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
  // One clock for all spellings of a zone.
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
