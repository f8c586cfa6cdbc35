import { expect, it } from "vitest";
import { change } from "../sample.ts";
import { lastKeyRemoved } from "./last-key-removed.ts";

const keys = (before: string, after: string) =>
  lastKeyRemoved.check(
    change("ConfigMap", "dev1-authorized-keys", {
      of: "DevContainer dev1",
      before: { data: { authorized_keys: before } },
      after: { data: { authorized_keys: after } },
    }),
  );

it("refuses to leave nobody, and lets keys come and go", () => {
  expect(keys("ssh-ed25519 AAAA alice\n", "")).toEqual([
    "the last key of dev1 would be removed, so nobody could log in",
  ]);
  expect(keys("a\nb\n", "a\n")).toEqual([]);
  expect(keys("", "a\n")).toEqual([]);
  expect(keys("", "")).toEqual([]);
});
