import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults } from "../../../test/drill/faults/index.ts";
import { recordsFile, recordsIn } from "./docs.ts";

const records = readFileSync(recordsFile, "utf8");

test("every kind of fault that there is stands in the records", () => {
  const run = recordsIn(records)
    .flatMap(({ entries }) => entries)
    .filter(({ notInjected }) => notInjected === undefined);
  expect(new Set(run.map(({ fault }) => fault))).toEqual(new Set(faults.map(({ name }) => name)));
});
