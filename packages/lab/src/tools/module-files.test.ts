import { expect, it } from "vitest";
import { fingerprint } from "./module-files.ts";

it("differs by the inputs' content, their order, where one ends, and the architecture", () => {
  const base = fingerprint(["ab", "c"], "x64");
  expect(base).toMatch(/^[0-9a-f]{12}$/);
  expect(fingerprint(["ab", "c"], "x64")).toBe(base);
  const others = [
    fingerprint(["a", "bc"], "x64"),
    fingerprint(["c", "ab"], "x64"),
    fingerprint(["ab", "c", ""], "x64"),
    fingerprint(["ab", "c"], "arm64"),
  ];
  expect(new Set([base, ...others]).size).toBe(5);
});
