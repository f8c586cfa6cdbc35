import { expect, test } from "vitest";
import { isWithin, parsePath, printPath } from "./paths.ts";

test.each([
  ["metadata", ["metadata"]],
  ["spec.ports[0].port", ["spec", "ports", 0, "port"]],
  ['metadata.labels["app.kubernetes.io/name"]', ["metadata", "labels", "app.kubernetes.io/name"]],
  ['data["say \\"hi\\".txt"]', ["data", 'say "hi".txt']],
])("%s is read and printed", (text, path) => {
  expect(parsePath(text)).toEqual(path);
  expect(printPath(path)).toBe(text);
});

test("a star stands for any element", () => {
  expect(parsePath("spec.containers[*].image")).toEqual(["spec", "containers", "*", "image"]);
  expect(isWithin(["spec", "containers", 1, "image"], parsePath("spec.containers[*].image"))).toBe(true);
  expect(isWithin(["spec", "containers", 1, "name"], parsePath("spec.containers[*].image"))).toBe(false);
});

test.each(["", "a..b", "a[", "a[x]"])("%j is refused", (text) => {
  expect(() => parsePath(text)).toThrow(
    `"${text}" is no property path. Write it like spec.template.spec.containers[0].image.`,
  );
});

test("a path is within itself and what holds it, not within its sibling or its child", () => {
  expect(isWithin(["a", "b"], ["a", "b"])).toBe(true);
  expect(isWithin(["a", "b"], ["a"])).toBe(true);
  expect(isWithin(["a", "b"], ["a", "c"])).toBe(false);
  expect(isWithin(["a"], ["a", "b"])).toBe(false);
});
