import { expect, it } from "vitest";
import { change } from "../sample.ts";
import { lastKeyRemoved } from "./last-key-removed.ts";

const of = "DevContainer dev1";
const keys = (before: object, after: object | undefined, fields: object = {}) =>
  change("ConfigMap", "dev1-authorized-keys", {
    of,
    before: { data: before },
    after: after === undefined ? undefined : { data: after },
    ...fields,
  });
const check = (...args: Parameters<typeof keys>) => lastKeyRemoved.check(keys(...args), [keys(...args)]);
const alice = { authorized_keys: "ssh-ed25519 AAAA alice\n" };
const none = { authorized_keys: "" };
const certificates = { ...none, user_ca_keys: "ssh-ed25519 AAAA ca\n", principals: "dev\n" };
const nobody = ["the last key of dev1 would be removed, so nobody could log in"];

it("refuses a change after which nobody could log in, however the keys go", () => {
  expect(check(alice, none)).toEqual(nobody);
  expect(check(alice, {})).toEqual(nobody);
  expect(check(alice, { authorized_keys: "# alice left\n" })).toEqual(nobody);
  expect(check(alice, undefined, { op: "delete" })).toEqual(nobody);
  expect(check(alice, none, { op: "replace" })).toEqual(nobody);
  expect(check(certificates, none)).toEqual(nobody);
  expect(check(alice, { ...certificates, principals: "" })).toEqual(nobody);
});

it("lets keys come and go, and a team move to certificates and back", () => {
  expect(check({ authorized_keys: "a\nb\n" }, { authorized_keys: "a\n" })).toEqual([]);
  expect(check(none, alice)).toEqual([]);
  expect(check(none, none)).toEqual([]);
  expect(check(alice, certificates)).toEqual([]);
  expect(check(certificates, alice)).toEqual([]);
  // Keys that are unknown before `up` are left to another rule.
  expect(check(alice, { authorized_keys: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" })).toEqual([]);
});

it("lets a container be removed with its keys", () => {
  const gone = keys(alice, undefined, { op: "delete" });
  const component = { ...change("x", "dev1", { op: "delete" }), type: "drawbridge:index:DevContainer" };
  expect(lastKeyRemoved.check(gone, [gone, component])).toEqual([]);
});
