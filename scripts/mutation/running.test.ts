import { expect, it } from "vitest";
import { afterAll, afterEach, beforeAll, beforeEach, collect, it as declare, describe } from "./collected.ts";
import { runGroup, type Test } from "./running.ts";

/** A file whose tests say when they run; the one that is named fails. */
const file = (said: string[], failing?: string) =>
  collect(async () => {
    const test = (name: string) => () => {
      said.push(name);
      if (name === failing) throw new Error(name);
    };
    beforeAll(test("all"));
    afterAll(test("end"));
    beforeEach(test("each"));
    afterEach(test("after"));
    declare("one", test("one"));
    describe("a part", () => {
      beforeEach(test("inner"));
      declare.each([["x"], "y"])("%s", (row) => test(String(row))());
    });
    declare("two", test("two"));
  });

const whole = [
  ...["all", "each", "one", "after", "each", "two", "after"],
  ...["each", "inner", "x", "after", "each", "inner", "y", "after", "end"],
];

it("runs what a file declares as vitest does, and once more", async () => {
  const said: string[] = [];
  const group = await file(said);
  expect(await runGroup(group, { seconds: 1 })).toBeUndefined();
  expect(await runGroup(group, { seconds: 1 })).toBeUndefined();
  expect(said).toEqual([...whole, ...whole]);
});

it("ends at the first failure, and cleans up", async () => {
  const said: string[] = [];
  const failure = await runGroup(await file(said, "two"), { seconds: 1 });
  expect(failure).toEqual({ outcome: "failed", error: new Error("two") });
  expect(said).toEqual([...whole.slice(0, 7), "end"]);
});

it("runs only what is asked for", async () => {
  const said: string[] = [];
  const group = await file(said);
  const [, last] = group.groups[0]?.tests ?? [];
  await runGroup(group, { seconds: 1, only: new Set([last as Test]) });
  expect(said).toEqual(["all", "each", "inner", "y", "after", "end"]);
  expect(await runGroup(group, { seconds: 1, only: new Set() })).toBeUndefined();
  expect(said.length).toBe(6);
});

it("does not wait for ever", async () => {
  const group = await collect(async () => declare("never", () => new Promise(() => {})));
  expect(await runGroup(group, { seconds: 0.05 })).toEqual({
    outcome: "late",
    error: expect.objectContaining({ message: "longer than 0.05 s" }),
  });
});
