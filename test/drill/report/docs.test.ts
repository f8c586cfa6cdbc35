import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults } from "../faults/index.ts";
import { page, pageFile, recordsFile, recordsIn } from "./docs.ts";

const records = readFileSync(recordsFile, "utf8");

test("the page has the table of its records", () => {
  const text = readFileSync(pageFile, "utf8");
  expect(page(text, records)).toBe(text);
});

test("every kind of fault that there is stands in the records", () => {
  const run = recordsIn(records)
    .flatMap(({ entries }) => entries)
    .filter(({ notInjected }) => notInjected === undefined);
  expect(new Set(run.map(({ fault }) => fault))).toEqual(new Set(faults.map(({ name }) => name)));
});
