/**
 * How a container sleeps, with everything decided: who puts it to sleep and wakes it, how often it reports, and the
 * schedules as minutes of the week, which the culler compares with its clock.
 */
import type { Settled } from "../../kit/input.ts";
import type { IdleAccounts } from "../ways/gateway.ts";
import { type IdleParsed, type ScheduleParsed, Weekday } from "./args.ts";

/** A container's sleep, with the accounts of culler and activator. */
export interface IdlePlan extends IdleParsed {
  readonly accounts: IdleAccounts;
}

/** A schedule of which all is known. */
export type KnownSchedule = Settled<ScheduleParsed>;

/** Undefined for a container that never sleeps. */
export function planIdle(
  idle: IdleParsed | undefined,
  accounts: IdleAccounts | undefined,
): IdlePlan | undefined {
  // That the accounts are missing is reported by the schema.
  return idle?.enabled !== true || accounts === undefined ? undefined : { ...idle, accounts };
}

/** Seconds between two reports: at most a tenth of the shortest time that they decide about. */
export function reportEvery({
  stopAfterSeconds,
  silentSessionSeconds,
}: Pick<Settled<IdleParsed>, "stopAfterSeconds" | "silentSessionSeconds">): number {
  const shortest = Math.min(stopAfterSeconds, silentSessionSeconds);
  return Math.min(60, Math.max(2, Math.floor(shortest / 10)));
}

const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;
type Interval = readonly [from: number, to: number];

/** The minutes of the week, from Monday 00:00, at which one schedule holds. One that ends before it begins passes midnight. */
export function scheduleMinutes({
  days,
  from,
  until,
}: Pick<KnownSchedule, "days" | "from" | "until">): Interval[] {
  const length = minuteOf(until) - minuteOf(from);
  const weekdays = Object.values(Weekday);
  const all = days.flatMap((name): Interval[] => {
    const start = weekdays.indexOf(name) * dayMinutes + minuteOf(from);
    const end = start + (length < 0 ? length + dayMinutes : length);
    return end <= weekMinutes
      ? [[start, end]]
      : [
          [start, weekMinutes],
          [0, end - weekMinutes],
        ];
  });
  return joined(all);
}

/** Time zones whose schedules together hold all week, so that nothing else matters. */
export function alwaysAwake(schedules: readonly KnownSchedule[]): string[] {
  const zones = [...new Set(schedules.map(({ timeZone }) => timeZone))];
  return zones.filter((zone) => {
    const own = schedules.filter(({ timeZone }) => timeZone === zone).flatMap(scheduleMinutes);
    const [first, ...others] = joined(own);
    return first?.[0] === 0 && first[1] === weekMinutes && others.length === 0;
  });
}

function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}

/** The same minutes in as few intervals as possible, in order; empty ones are gone. */
function joined(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.filter(([from, to]) => to > from).sort(([a], [b]) => a - b);
  const result: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}
