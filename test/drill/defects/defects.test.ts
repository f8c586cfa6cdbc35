import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults } from "../faults/index.ts";
import { defects, editsOf } from "./index.ts";

test.each(defects)("$name: its places are in the source once, and its faults exist", (defect) => {
  for (const { file, code } of editsOf(defect)) {
    const source = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
    expect(source.split(code)).toHaveLength(2);
  }
  expect(faults.map(({ name }) => name)).toEqual(expect.arrayContaining([...defect.only]));
});
