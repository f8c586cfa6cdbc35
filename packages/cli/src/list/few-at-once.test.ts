import { expect, it } from "vitest";
import { fewAtOnce } from "./few-at-once.ts";

it("never does more at a time, and keeps the order", async () => {
  let now = 0;
  let most = 0;
  const results = await fewAtOnce(3, [5, 1, 4, 1, 5, 9, 2], async (wait) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, wait));
    now -= 1;
    return wait * 2;
  });
  expect([results, most]).toEqual([[10, 2, 8, 2, 10, 18, 4], 3]);
});

it("fails with the first that fails, and has nothing to do for none", async () => {
  const work = async (one: number) => {
    if (one === 2) throw new Error("two");
    return one;
  };
  await expect(fewAtOnce(2, [1, 2, 3], work)).rejects.toThrow("two");
  expect(await fewAtOnce(2, [], work)).toEqual([]);
});
