import { expect, test } from "vitest";
import { type Kind, picked, schedule } from "./schedule.ts";

const kinds: Kind[] = [
  { name: "pod", lasts: [0, 0] },
  { name: "node", lasts: [5, 20] },
  { name: "istiod", lasts: [1, 3] },
];

test("a seed is a drill", () => {
  expect(schedule(7, kinds, 4)).toEqual(schedule(7, kinds, 4));
  expect(schedule(7, kinds, 4)).toMatchInlineSnapshot(`
    [
      {
        "at": 1,
        "fault": "pod",
        "index": 0,
        "lasts": 0,
        "pick": 0.6990287057124078,
      },
      {
        "at": 4,
        "fault": "istiod",
        "index": 1,
        "lasts": 2,
        "pick": 0.23992518591694534,
      },
      {
        "at": 10,
        "fault": "node",
        "index": 2,
        "lasts": 9,
        "pick": 0.15594836394302547,
      },
      {
        "at": 22,
        "fault": "istiod",
        "index": 3,
        "lasts": 1,
        "pick": 0.3679585934150964,
      },
    ]
  `);
  expect(schedule(8, kinds, 4)).not.toEqual(schedule(7, kinds, 4));
});

test("a longer drill of a seed begins with the shorter one", () => {
  expect(schedule(7, kinds, 30).slice(0, 11)).toEqual(schedule(7, kinds, 11));
});

test("each kind comes once before any comes again", () => {
  const names = schedule(3, kinds, 9).map(({ fault }) => fault);
  for (const round of [0, 3, 6]) {
    expect(names.slice(round, round + 3).sort()).toEqual(["istiod", "node", "pod"]);
  }
});

test("faults keep their order, their limits and the quiet between them", () => {
  let end = 0;
  for (const { at, lasts, fault, pick } of schedule(1, kinds, 300)) {
    const [least, most] = kinds.find(({ name }) => name === fault)?.lasts ?? [0, 0];
    expect(at - end >= 1 && at - end <= 5).toBe(true);
    expect(lasts >= least && lasts <= most).toBe(true);
    expect(pick >= 0 && pick < 1).toBe(true);
    end = at + lasts;
  }
});

test("fails without a kind", () => {
  expect(() => schedule(1, [], 1)).toThrow("a drill needs at least one kind of fault");
});

test("a pick chooses among what is there", () => {
  expect([0, 0.34, 0.99].map((pick) => picked(["a", "b", "c"], pick))).toEqual(["a", "b", "c"]);
  expect(() => picked([], 0)).toThrow("there is nothing to choose from");
});
