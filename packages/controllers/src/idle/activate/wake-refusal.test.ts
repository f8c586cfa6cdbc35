import type { IdleSettings } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { expect, it } from "vitest";
import { type Attempts, refusal } from "./wake-refusal.ts";

const limits = { wakesPerHour: 3, reconnectPause: 60 };
const settings = { running: true, wake: "onConnect" } as IdleSettings;
const ssh = "SSH-2.0-OpenSSH_10.0";
const command = "SSH-2.0-drawbridge-wake";
const second = 1000;
const fresh = (): Attempts => ({ last: undefined, wakes: [] });

it("wakes for whoever greets, unless the container's file says otherwise", () => {
  const ask = (change: Partial<IdleSettings>, greeting: string) =>
    refusal({ ...settings, ...change }, greeting, fresh(), limits, 0);
  expect(ask({}, ssh)).toBeUndefined();
  expect(ask({ wake: "byCommand" }, ssh)).toBe("it is asleep; wake it with: drawbridge wake");
  expect(ask({ wake: "byCommand" }, command)).toBeUndefined();
  expect(ask({ wake: "never" }, command)).toMatch(/^it is asleep, and only its stack/);
  expect(ask({ running: false }, command)).toMatch(/^it is switched off by its stack/);
});

it("does not wake for an editor that tries again and again since the stop, but does after a pause", () => {
  const attempts: Attempts = { last: 0, wakes: [] };
  const at = (seconds: number, greeting = ssh) =>
    refusal(settings, greeting, attempts, limits, seconds * second) === undefined;
  // VS Code: after 5, 10, 20, 30 s, then every 30 s.
  expect([5, 15, 35, 65, 95, 125].map((seconds) => at(seconds))).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(at(184)).toBe(false);
  expect(at(244)).toBe(true);
});

it("wakes at once for the command, also amidst such attempts", () => {
  const attempts: Attempts = { last: 0, wakes: [] };
  expect(refusal(settings, command, attempts, limits, second)).toBeUndefined();
});

it("bounds the wakes of an hour, whoever asks", () => {
  const attempts = fresh();
  const at = (minutes: number) => refusal(settings, command, attempts, limits, minutes * 60 * second);
  expect([at(0), at(10), at(20)]).toEqual([undefined, undefined, undefined]);
  expect(at(30)).toBe("it was woken 3 times within an hour, which is as often as it may be");
  expect([at(60), at(61)].map((reason) => reason === undefined)).toEqual([true, false]);
});
