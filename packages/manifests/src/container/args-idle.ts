/** The schema of a container's sleep: what keeps it awake, what wakes it. */
import { z } from "zod";
import { showValue } from "../common/args-error.ts";
import { duration } from "../common/duration.ts";
import { oneOf, strict } from "../common/schema.ts";
import { quantity, whole } from "../common/shapes.ts";

/** What wakes a container that sleeps. */
export const WakePolicy = { onConnect: "onConnect", byCommand: "byCommand", never: "never" } as const;
export type WakePolicy = (typeof WakePolicy)[keyof typeof WakePolicy];

/** A day of the week. */
export const Weekday = {
  monday: "monday",
  tuesday: "tuesday",
  wednesday: "wednesday",
  thursday: "thursday",
  friday: "friday",
  saturday: "saturday",
  sunday: "sunday",
} as const;
export type Weekday = (typeof Weekday)[keyof typeof Weekday];

const timeOfDay = z.string().refine((value) => /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(value), {
  error: (issue) => `${showValue(issue.input)} is not a time of day; write it like "08:30"`,
});

const timeZone = z.string().refine(isTimeZone, {
  error: (issue) =>
    `${showValue(issue.input)} is not a time zone; give its name in the IANA data base, like "Europe/Berlin"`,
});

function isTimeZone(value: string): boolean {
  // An offset is taken as well, but knows nothing of daylight saving.
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

const scheduleSchema = strict({
  days: z
    .array(oneOf(Weekday))
    .min(1, {
      error: "holds no day, so this never keeps it awake; give one, or leave days out for every day",
    })
    .default(Object.values(Weekday)),
  from: timeOfDay,
  until: timeOfDay,
  timeZone,
});

export const idleSchema = strict({
  enabled: z.boolean().default(true),
  stopAfter: duration("10s", "30d").default("2h"),
  silentSessions: duration("10s", "90d").default("12h"),
  keepAwake: z.array(scheduleSchema).default([]),
  wake: oneOf(WakePolicy).default("onConnect"),
  maxHold: duration("5s", "30m").default("5m"),
  signals: strict({
    cpuAbove: quantity.default("100m"),
    trafficAbove: whole(0, 2 ** 30, "bytes a minute").default(8192),
    gpuAbovePercent: whole(0, 99, "percent").optional(),
  }).prefault({}),
  dryRun: z.boolean().default(false),
}).optional();

export type IdleParsed = NonNullable<z.output<typeof idleSchema>>;
export type ScheduleParsed = IdleParsed["keepAwake"][number];
