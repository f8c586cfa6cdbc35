/** The idle settings of a container: an annotation of its StatefulSet, in which its stack has decided every default. */
import type { IdleSettings } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { flag, list, maybe, oneOf, type Read, record, text, Unreadable, whole } from "../read.ts";
import { isTimeZone } from "./schedule.ts";

const seconds = whole(0, 100 * 86_400);
const minuteField = whole(0, 7 * 24 * 60);

const interval: Read<readonly [number, number]> = (value, at) => {
  const [from, to, ...more] = list(minuteField, 2)(value, at);
  if (from === undefined || to === undefined || more.length > 0) throw new Unreadable(`${at} is not a pair`);
  return [from, to];
};

/** At most 14 intervals: two a day. */
const schedule = record({ timeZone: text("a time zone", isTimeZone), minutes: list(interval, 14) });

/** A field of a later version is `maybe`: an older stack does not write it. */
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

/** Long enough for many schedules. A longer text would cost time and memory that all containers share. */
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
