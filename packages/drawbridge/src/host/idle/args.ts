/** The schema of a container's sleep: what keeps it awake, what wakes it. */

import { z } from "zod";
import { arg, group, offByDefault, PlainReason, plainOnByDefault } from "../../kit/arg.ts";

import { input, oneOf } from "../../kit/schema.ts";
import { matching, whole } from "../../kit/shapes.ts";
import { quantity } from "../../kubernetes/shapes.ts";

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

const daySeconds = 24 * 3600;

const timeOfDay = matching(
  /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/,
  '{{value}} is not a time of day; write it like "08:30"',
);

const timeZone = z.string().refine(isTimeZone, {
  error: '{{value}} is not a time zone; use its name in the IANA data base, like "Europe/Berlin"',
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

const scheduleSchema = group(
  "DevContainerScheduleArgs",
  "Times of the week, by the clocks of a time zone, whatever daylight saving does.",
  {
    days: arg(
      z
        .array(input(oneOf(Weekday)))
        .min(1, { error: "has no day, so it never applies; set one, or leave days out for every day" })
        .default(Object.values(Weekday)),
      "On which days it begins.",
      { default: "- every day" },
    ),
    from: arg(input(timeOfDay), "When it begins.", { example: '"08:00"' }),
    until: arg(
      input(timeOfDay),
      "When it ends, `24:00` at the latest; before `from` for one that ends on the next day.",
      { example: '"18:00"' },
    ),
    timeZone: arg(input(timeZone), "A name of the IANA data base.", { example: '"Europe/Berlin"' }),
  },
);

export const idleSchema = group(
  "DevContainerIdleArgs",
  "When the container sleeps, and what wakes it. Asleep it has no pod: CPU, memory and GPUs are " +
    "free; home, host key, name and rights stay. Needs a gateway with `idle` and sshd in the " +
    "container itself (`ssh.mode` image or injected).",
  {
    enabled: plainOnByDefault(
      PlainReason.resources,
      "Whether it sleeps at all; `false` excepts one container from a team's defaults.",
      { effect: ["restart", "closes"] },
    ),
    stopAfterSeconds: arg(
      input(whole(10, 30 * daySeconds, "seconds")).default(7200),
      "Seconds for which nobody may be in it and nothing work in it before it sleeps, from 10 to 2592000 (30 d).",
      { default: "7200 (2 h)" },
    ),
    silentSessionSeconds: arg(
      input(whole(10, 90 * daySeconds, "seconds")).default(43_200),
      "Seconds for which an open session may be silent before it counts for nothing, whatever runs in it, to " +
        "7776000 (90 d). Not below `stopAfterSeconds`.",
      { default: "43200 (12 h)" },
    ),
    keepAwake: arg(
      z
        .array(scheduleSchema)
        .max(100, { error: "has more than 100 times; write several days into one" })
        .default([]),
      "Times at which it stays awake, at most 100. Together they may not fill the week.",
    ),
    wake: arg(
      input(oneOf(WakePolicy)).default("onConnect"),
      "What wakes it: a connection through the gateway, `drawbridge wake` alone, or nobody but an operator.",
    ),
    wakeTimeoutSeconds: arg(
      input(whole(5, 1800, "seconds")).default(300),
      "Seconds for which a connection waits for it to start, from 5 to 1800 (30 min); then it ends with the reason.",
      { default: "300 (5 min)" },
    ),
    signals: arg(
      group("DevContainerIdleSignalsArgs", "What counts as work besides open sessions.", {
        cpuAbove: arg(
          input(quantity).default("100m"),
          "CPU use of the container above which it works, measured from report to report (every minute at most).",
        ),
        trafficAboveBytesPerMinute: arg(
          input(whole(0, 2 ** 30, "bytes a minute")).default(8192),
          "Bytes a minute that a connection has to move to count as used. Keepalives and the heartbeats of " +
            "editors are below.",
        ),
        gpuAbovePercent: arg(
          input(whole(0, 99, "percent")).optional(),
          "GPU use in percent above which it works, asked of the gateway's `idle.gpuMetrics`. Figures that " +
            "are missing keep it awake.",
          { default: "- GPU use is not asked for" },
        ),
      }).prefault({}),
      "What counts as work.",
    ),
    dryRun: offByDefault("Only tell what would have been done, in the culler's log and in an Event."),
  },
  {
    effect: [],
    example:
      '```ts\nidle: {\n  stopAfterSeconds: 3600,\n  keepAwake: [{ days: ["monday", "friday"], from: "08:00", until: "18:00", timeZone: "Europe/Berlin" }],\n}\n```',
  },
).optional();

export type IdleParsed = NonNullable<z.output<typeof idleSchema>>;
export type ScheduleParsed = IdleParsed["keepAwake"][number];
