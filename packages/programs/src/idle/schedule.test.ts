import { expect, it, vi } from "vitest";
import { isScheduled, isTimeZone, minuteOfWeek } from "./schedule.ts";

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
