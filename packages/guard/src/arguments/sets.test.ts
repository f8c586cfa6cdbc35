/** Judges of single arguments, by what decides between a gain and a danger. */
import { expect, it } from "vitest";
import { parseBounds } from "../bounds.ts";
import type { ObjectPair } from "../objects.ts";
import type { Judging } from "./judging.ts";
import { principals } from "./logins.ts";
import { credentials, subjects } from "./sets.ts";

const judging = (fields: Partial<Judging>): Judging => ({
  ...{ path: "path", was: undefined, is: undefined, wall: { judge: "subjects", rule: "cluster-rights" } },
  ...{ kind: "DevContainer", name: "dev1", before: {}, after: {}, pairs: [] },
  bounds: parseBounds({ openSessions: "refused" }, "bounds"),
  ...fields,
});

it.each([
  ["alice", "gains"],
  ["team:a", "gains"],
  ...[
    ...["authenticated", "unauthenticated", "anonymous", "serviceaccounts", "masters", "nodes"],
    ...["serviceaccount:team-a:ci", "serviceaccounts:team-a", "kube-scheduler", "node:node-1"],
  ].map((name) => [`system:${name}`, "crosses"]),
])("%s among the people is what the guard says: %s", (name, effect) => {
  expect(subjects(judging({ is: [name] }))).toMatchObject([{ effect }]);
});

it.each([
  ["new", { before: undefined, after: {} }, "gains"],
  ["new, with a claim that was there", { before: undefined, after: { claimName: "old" } }, "crosses"],
  ["there", { before: {}, after: {} }, "crosses"],
])("who may write the files of a storage that is %s", (_, fields, effect) => {
  expect(credentials(judging({ is: [{ user: "alice", write: true }], ...fields }))).toMatchObject([
    { effect },
  ]);
});

const on = { spec: { replicas: 1, template: { a: 1 } } };
const off = { spec: { replicas: 0, template: { a: 1 } } };
const another = { spec: { replicas: 1, template: { a: 2 } } };
const byHand = { spec: { ...another.spec, updateStrategy: { type: "OnDelete" } } };

it.each([
  ["goes on", on, on, "crosses"],
  ["is switched off", on, off, "loses"],
  ["was off", off, on, "loses"],
  ["is replaced", on, another, "loses"],
  ["is replaced by hand alone", on, byHand, "crosses"],
  ["goes", on, undefined, "loses"],
])("a login that is lost is a session left open, unless its pod ends: it %s", (_, before, after, effect) => {
  const component = { type: "drawbridge:index:DevContainer", name: "dev1" };
  const pair = { component, groupKind: "apps/StatefulSet", kind: "StatefulSet", before, after };
  const pairs = [pair as Partial<ObjectPair> as ObjectPair];
  expect(principals(judging({ was: ["a", "b"], is: ["b"], pairs }))).toMatchObject([{ effect }]);
});
