import { resolve } from "node:path";
import { expect, test } from "vitest";
import { parseOptions } from "./options.ts";

const parse = (...args: string[]) => parseOptions(args, ["pod", "node"], "none");

test("without arguments it is twenty faults of seed 1, of all kinds", () => {
  expect(parse()).toEqual({ seed: 1, faults: 20, record: resolve("drill-1.jsonl"), only: ["pod", "node"] });
});

test("every argument is taken", () => {
  const args = ["--seed", "7", "--faults", "500", "--slice", "10", "--record", "/tmp/r", "--only", "node"];
  expect(parse(...args)).toEqual({ seed: 7, faults: 500, slice: 600, record: "/tmp/r", only: ["node"] });
  expect(parse("--hours", "2", "--lab", "mine")).toEqual({
    seed: 1,
    faults: 3600,
    seconds: 7200,
    lab: "mine",
    record: resolve("drill-1.jsonl"),
    only: ["pod", "node"],
  });
  expect(parse("--control").only).toEqual(["none"]);
});

test("all faults are said at once", () => {
  expect(() => parse("--seed", "x", "--faults", "-1", "--only", "moon")).toThrow("usage: npm run drill");
  expect(() => parse("--seed", "x", "--faults", "1.5", "--only", "moon")).toThrow(
    '--seed is "x"; use a whole number\n--faults is "1.5"; use a whole number\nthere is no fault moon; use pod, node',
  );
  expect(() => parse("--hours", "1", "--faults", "5")).toThrow("give --faults or --hours, not both");
});
