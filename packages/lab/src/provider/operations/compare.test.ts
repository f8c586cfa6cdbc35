import { expect, test } from "vitest";
import { UNKNOWN } from "../values/property.ts";
import { compare, drifted } from "./compare.ts";

test("the smallest differences are found", () => {
  const before = { same: 1, changed: "a", gone: true, list: [{ x: 1 }, { x: 2 }], shape: { a: 1 } };
  const after = { same: 1, changed: "b", added: {}, list: [{ x: 1 }, { x: 3 }, { x: 4 }], shape: [1] };
  expect(compare(before, after)).toEqual([
    { path: ["changed"], kind: "update" },
    { path: ["gone"], kind: "delete" },
    { path: ["list", 1, "x"], kind: "update" },
    { path: ["list", 2], kind: "add" },
    { path: ["shape"], kind: "update" },
    { path: ["added"], kind: "add" },
  ]);
});

test("what is not known yet may differ", () => {
  expect(compare({ a: 1 }, { a: UNKNOWN, b: UNKNOWN })).toEqual([
    { path: ["a"], kind: "update" },
    { path: ["b"], kind: "add" },
  ]);
});

test("a refresh takes over what the cluster changed, and nothing that it only writes differently", () => {
  const input = { cpu: "0.5", replicas: 1, labels: { mine: "a", other: "b" } };
  const before = { cpu: "500m", replicas: 1, labels: { mine: "a", other: "b" }, uid: "1" };
  const now = { cpu: "500m", replicas: 3, labels: { mine: "a", theirs: "c" }, uid: "1", status: {} };
  expect(drifted(input, before, now)).toEqual({ cpu: "0.5", replicas: 3, labels: { mine: "a" } });
});

test("lists drift element by element", () => {
  expect(
    drifted([{ cpu: "0.5" }, { b: 1 }], [{ cpu: "500m" }, { b: 1 }], [{ cpu: "500m" }, { b: 2 }, { c: 3 }]),
  ).toEqual([{ cpu: "0.5" }, { b: 2 }, { c: 3 }]);
});
