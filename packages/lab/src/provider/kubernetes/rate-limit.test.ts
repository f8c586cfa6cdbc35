import { expect, test } from "vitest";
import { tokenBucket } from "./rate-limit.ts";

test("a burst goes at once, what follows in its turn, and a pause fills the bucket again", async () => {
  let time = 0;
  const waits: number[] = [];
  const turn = tokenBucket(
    { qps: 10, burst: 2 },
    () => time,
    async (milliseconds) => waits.push(Math.round(milliseconds)),
  );
  await Promise.all([turn(), turn(), turn(), turn()]);
  expect(waits).toEqual([100, 200]);
  time = 10_000;
  await Promise.all([turn(), turn(), turn()]);
  expect(waits).toEqual([100, 200, 100]);
});
