import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { addEntry, openRecord, summary } from "../../scripts/lib/drill-report/record.ts";

const folder = temporaryFolder();

const drill = { seed: 7, kinds: ["pod", "node"] };
const entry = (index: number) => ({
  index,
  fault: "pod",
  target: "a",
  seconds: 1.5,
  took: 9,
  ended: 2,
  logins: { a: 0.4 },
  breaches: [] as string[],
  machine: [] as string[],
  beat: 0.05,
});

test("a drill goes on where its record ends", () => {
  const file = join(folder, "record");
  expect(openRecord(file, drill)).toEqual([]);
  addEntry(file, entry(0));
  addEntry(file, entry(1));
  expect(openRecord(file, drill)).toEqual([entry(0), entry(1)]);
});

test("fails for the record of another drill", () => {
  const file = join(folder, "other");
  openRecord(file, drill);
  for (const other of [
    { ...drill, seed: 8 },
    { ...drill, kinds: ["pod"] },
  ]) {
    expect(() => openRecord(file, other)).toThrow(
      `${file} is the record of another drill (seed 7, pod, node); use its seed and faults, or another file`,
    );
  }
});

test("what was not injected is no fault, and the machine's time-outs are no breaches", () => {
  const entries = [
    { ...entry(0), breaches: ["a", "b"] },
    { ...entry(1), fault: "node", machine: ["late"] },
    { ...entry(2), fault: "other", notInjected: "could not be injected: no such pod", breaches: ["c"] },
  ];
  expect(summary(entries)).toBe(
    "2 faults of 2 kinds, 1 not injected, 3 breaches, 1 time-outs of the machine",
  );
});
