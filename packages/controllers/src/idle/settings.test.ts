import { devContainerSchema } from "@drawbridge-iac/drawbridge/src/dev-container/args-checks";
import { planDevContainer } from "@drawbridge-iac/drawbridge/src/dev-container/plan";
import { idleAnnotation } from "@drawbridge-iac/drawbridge/src/host/idle/objects";
import { parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import { expect, it, vi } from "vitest";
import { Unreadable } from "../read.ts";
import { isScheduled, isTimeZone, minuteOfWeek } from "./schedule.ts";
import { parseSettings } from "./settings.ts";

const args = {
  namespace: "team-a",
  image: "registry.example.com/devcontainer:1.4.0",
  authorizedKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice"],
  hostKey: { seed: "correct horse battery staple correct horse" },
  access: {
    gateway: {
      name: "ssh",
      namespace: "ssh-ingress",
      domain: "dev.example.com",
      plainPort: 80,
      idle: {
        namespace: "ssh-ingress",
        cullerServiceAccountName: "culler",
        activatorServiceAccountName: "activator",
        gpuMetrics: true,
      },
    },
  },
  resources: { gpu: { count: 1 } },
  idle: {
    keepAwake: [{ days: ["monday"], from: "08:00", until: "18:00", timeZone: "Europe/Berlin" }],
    signals: { gpuAbovePercent: 5 },
  },
};
const written = (idle: object) =>
  idleAnnotation(
    planDevContainer("dev1", parseArgs("DevContainer", "dev1", devContainerSchema, { ...args, idle })),
  )["drawbridge.dev/idle"] as string;
const ours = written(args.idle);
const changed = (field: string, value: unknown) => JSON.stringify({ ...JSON.parse(ours), [field]: value });

const read = (text: unknown) => parseSettings(text, "it");

it("reads what a container's stack writes, and nothing of fields that a later one may add", () => {
  for (const text of [ours, written({})]) expect(read(text)).toEqual(JSON.parse(text));
  expect(read(changed("later", [1]))).toEqual(JSON.parse(ours));
});

it.each([
  ["null", "null"],
  ["a number", "7"],
  ["a text", '"stopAfter"'],
  ["a list", "[]"],
  ["nothing", ""],
  ["no JSON", "{"],
  ["no field", "{}"],
  ["the gateway alone", '{"gateway":"ssh-ingress/ssh"}'],
  [
    "more than anybody's times take",
    changed("keepAwake", Array(3000).fill({ timeZone: "UTC", minutes: [] })),
  ],
  ["a time that is a text", changed("stopAfter", "2h")],
  ["a time below zero", changed("reportEvery", -1)],
  ["a time without end", changed("silentSessions", 1e300)],
  ["a time that is null", changed("warning", null)],
  ["schedules that are none", changed("keepAwake", {})],
  ["a schedule that is null", changed("keepAwake", [null])],
  ["minutes that are no pairs", changed("keepAwake", [{ timeZone: "UTC", minutes: [[1, 2, 3]] }])],
  ["a zone that is nowhere", changed("keepAwake", [{ timeZone: "Mars/Olympus", minutes: [] }])],
  ["a clock of its own", changed("keepAwake", [{ timeZone: "+02:01", minutes: [] }])],
  ["a zone that is a list", changed("keepAwake", [{ timeZone: ["UTC"], minutes: [] }])],
  ["another way to wake", changed("wake", "always")],
  ["a wait of weeks", changed("maxHold", 10_000_000)],
  ["a port that is none", changed("port", 65_536)],
  ["half a port", changed("port", 22.5)],
  ["a word for running", changed("running", "yes")],
  ["a gateway that is none", changed("gateway", { toString: "x" })],
  ["a GPU above all", changed("gpuAbovePercent", 101)],
])("leaves alone what has %s in the place of settings", (_what, text) => {
  expect(() => read(text)).toThrow(Unreadable);
});

it.each([
  ["Monday midnight", "2026-11-23T00:00:00Z", "UTC", 0],
  ["the last minute of Sunday", "2026-11-22T23:59:59Z", "UTC", 7 * 1440 - 1],
  ["Berlin in summer", "2026-07-06T06:00:00Z", "Europe/Berlin", 8 * 60],
  ["Berlin in winter", "2026-12-07T07:00:00Z", "Europe/Berlin", 8 * 60],
  ["half an hour off, and another day", "2026-11-22T19:00:00Z", "Asia/Kolkata", 30],
])("knows the minute of the week: %s", (_, time, zone, minute) => {
  expect(minuteOfWeek(new Date(time), zone)).toBe(minute);
});

it("holds from its first minute to the one before its last", () => {
  const schedules = [{ timeZone: "UTC", minutes: [[480, 1080]] as const }];
  const at = (time: string) => isScheduled(schedules, new Date(`2026-11-23T${time}Z`));
  expect([at("07:59:59"), at("08:00:00"), at("17:59:59"), at("18:00:00")]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it("goes by the local time where an hour is left out or comes twice", () => {
  const schedules = [{ timeZone: "Europe/Berlin", minutes: [[6 * 1440 + 120, 6 * 1440 + 180]] as const }];
  const at = (time: string) => isScheduled(schedules, new Date(time));
  // 29 March 2026: from 01:59 to 03:00. 25 October: two and three o'clock twice.
  expect([at("2026-03-29T00:59:00Z"), at("2026-03-29T01:00:00Z")]).toEqual([false, false]);
  expect([at("2026-10-25T00:30:00Z"), at("2026-10-25T01:30:00Z"), at("2026-10-25T02:30:00Z")]).toEqual([
    true,
    true,
    false,
  ]);
});

it("has one clock for a zone, however it is spelt", () => {
  const made = vi.spyOn(Intl, "DateTimeFormat");
  expect(["Pacific/Chatham", "PACIFIC/chatham", "pacific/CHATHAM"].map(isTimeZone)).toEqual([
    true,
    true,
    true,
  ]);
  expect(made).toHaveBeenCalledTimes(1);
  made.mockRestore();
});
