/** What a container's own file says of its sleep, as its StatefulSet carries it: an annotation, every default decided. */

import type { IdleSettings } from "../made/contract.ts";
import { flag, list, maybe, oneOf, type Read, record, text, Unreadable, whole } from "../read.ts";
import { isTimeZone } from "./schedule.ts";

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
