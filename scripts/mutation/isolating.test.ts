import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { isolating } from "./isolating.ts";

it("names files that are there", () => {
  const names = isolating.flatMap((pattern) => {
    const [, before = "", list = "", after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [
      "",
      pattern,
      "",
      "",
    ];
    return list.split(",").map((one) => `${before}${one}${after}`);
  });
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !existsSync(name))).toEqual([]);
});
