/** Random arguments before and after, judged beside a model of access; sixty times as many in test/long/guard-properties.test.ts. */
import { expect, it } from "vitest";
import { compareWithModel } from "./access.fixture.ts";
import { isKnown } from "./spoken.fixture.ts";

it("tells of all access that grows, and of little else", { timeout: 300_000 }, () => {
  const { grown, silent, spoken } = compareWithModel(500, 45);
  expect(silent).toEqual([]);
  expect(grown).toBeGreaterThan(30);
  expect([...spoken].filter(([saying]) => !isKnown(saying))).toEqual([]);
});
