import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults } from "../faults/index.ts";
import { defects } from "./index.ts";

test.each(defects)("$name: its place is in the source once, and its faults exist", ({ file, code, only }) => {
  const source = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  expect(source.split(code)).toHaveLength(2);
  expect(faults.map(({ name }) => name)).toEqual(expect.arrayContaining([...only]));
});
