import { expect, test } from "vitest";
import type { DrillRecord, Entry } from "./record.ts";
import { recordTable } from "./table.ts";

const drill = (seed: number, ...entries: Entry[]): DrillRecord => ({ seed, kinds: ["pod", "node"], entries });
const entry = (own: Partial<Entry>): Entry => ({
  index: 0,
  fault: "pod",
  target: "a",
  seconds: 1,
  took: 5,
  ended: 0,
  logins: {},
  breaches: [],
  machine: [],
  beat: 0.1,
  ...own,
});

test("a row for each kind, the slowest first, over all seeds; what could not be injected is only counted", () => {
  const records = [
    drill(
      7,
      entry({ seconds: 1.24, ended: 2, told: 0.31, logins: { a: 0.3, b: 0.4 } }),
      entry({ fault: "node", seconds: 60, logins: { a: 1 }, machine: ["late"] }),
    ),
    drill(8, entry({ seconds: 3, logins: { a: 2 }, breaches: ["lost"] }), entry({ notInjected: "no pod" })),
  ];
  expect(
    recordTable(records),
  ).toBe(`2 seeds: 3 faults of 2 kinds, 1 not injected, 1 breaches, 1 time-outs of the machine.

| fault | times | whole again | login then | sessions ended | their clients told | breaches |
|---|---|---|---|---|---|---|
| node | 1 | 60, 60 s | 1, 1 s | 0 |  | 0 |
| pod | 2 | 2.1, 3 s | 0.4, 2 s | 2 | 0.3, 0.3 s | 1 |`);
});

test("nothing run is nothing", () => {
  expect(recordTable([])).toContain("0 seeds: 0 faults of 0 kinds");
});
