import { expect, test } from "vitest";
import { middleOf, tooSlow } from "./pulse.ts";

test("one slow start among many says nothing of the machine, many do", () => {
  expect(middleOf([0.05, 9, 0.061])).toBe(0.06);
  expect(middleOf([2, 0.05, 3])).toBe(2);
  expect(middleOf([])).toBe(0);
  expect([0.06, 1, 2].map(tooSlow)).toEqual([false, false, true]);
});
