import type { FrpGrant } from "@drawbridge-iac/drawbridge/src/host/frpc/contract";
import { expect, it } from "vitest";
import { cachedGrants, forbiddenForMs, freshForMs, LookupForbidden, staleForMs } from "./grants.ts";

const dev1 = { namespace: "team-a", name: "dev1" };
const grant: FrpGrant = { tokenSha256: "00ff", clientDomain: undefined };

/** A lookup with a clock of its own: what it answers and how often it was asked. */
function bench() {
  const state = { time: 0, asked: 0, answer: grant as FrpGrant | undefined | Error };
  const find = cachedGrants(
    async () => {
      state.asked += 1;
      if (state.answer instanceof Error) throw state.answer;
      return state.answer;
    },
    () => state.time,
  );
  return { state, find };
}

it("asks again only after two seconds, after a miss too", async () => {
  const { state, find } = bench();
  state.answer = undefined;
  expect(await find(dev1)).toBe(undefined);
  state.answer = grant;
  state.time = freshForMs - 1;
  expect([await find(dev1), state.asked]).toEqual([undefined, 1]);
  state.time = freshForMs;
  expect([await find(dev1), state.asked]).toEqual([grant, 2]);
});

it("forgets a grant that was taken away", async () => {
  const { state, find } = bench();
  await find(dev1);
  state.answer = undefined;
  state.time = freshForMs;
  expect(await find(dev1)).toBe(undefined);
});

it("keeps a known grant for ten minutes while nobody can be asked, and no unknown one", async () => {
  const { state, find } = bench();
  await find(dev1);
  state.answer = new Error("away");
  state.time = staleForMs - 1;
  expect(await find(dev1)).toBe(grant);
  state.answer = grant;
  await find(dev1);
  state.answer = new Error("away");
  // Ten minutes from the last good answer, not from the first.
  state.time += staleForMs - 1;
  expect(await find(dev1)).toBe(grant);
  state.time += 1;
  await expect(find(dev1)).rejects.toThrow("away");
  await expect(find({ namespace: "team-a", name: "dev2" })).rejects.toThrow("away");
});

it("does not believe the first that forbids to look, as an API server does that has just started", async () => {
  const { state, find } = bench();
  await find(dev1);
  state.answer = new Error("away");
  state.time = 5 * 60_000;
  await find(dev1);
  state.answer = new LookupForbidden("403");
  state.time += forbiddenForMs - 1;
  expect(await find(dev1)).toBe(grant);
  state.answer = grant;
  expect(await find(dev1)).toBe(grant);
  // A container whose role is gone is refused from the second time on.
  state.answer = new LookupForbidden("403");
  state.time += 10_000;
  expect(await find(dev1)).toBe(grant);
  state.time += 10_000;
  expect(await find(dev1)).toBe(undefined);
  state.time += freshForMs;
  expect(await find(dev1)).toBe(undefined);
});

it("refuses a container at once that is unknown, or was last seen a while ago", async () => {
  const { state, find } = bench();
  await find(dev1);
  state.answer = new LookupForbidden("403");
  expect(await find({ namespace: "team-a", name: "dev2" })).toBe(undefined);
  state.time = forbiddenForMs;
  expect(await find(dev1)).toBe(undefined);
});

it("remembers each container by itself, and ten thousand of them", async () => {
  const clock = { time: 0 };
  const asked: string[] = [];
  const find = cachedGrants(
    async ({ namespace, name }) => {
      asked.push(`${namespace}/${name}`);
      return undefined;
    },
    () => clock.time,
  );
  const ask = async (namespace: string, name: string) => {
    const before = asked.length;
    await find({ namespace, name });
    return asked.slice(before);
  };
  expect([await ask("a", "b"), await ask("a", "c"), await ask("x", "b")]).toEqual([
    ["a/b"],
    ["a/c"],
    ["x/b"],
  ]);
  for (let other = 3; other < 10_000; other++) await ask("other", `o${other}`);
  expect([await ask("a", "b"), await ask("a", "c")]).toEqual([[], []]);
  await ask("one", "more");
  expect([await ask("a", "c"), await ask("a", "b")]).toEqual([[], ["a/b"]]);
  // Asked anew, it is no longer the oldest.
  clock.time = freshForMs;
  expect(await ask("x", "b")).toEqual(["x/b"]);
  await ask("two", "more");
  expect(await ask("x", "b")).toEqual([]);
});

it("has a clock of its own", async () => {
  let asked = 0;
  const find = cachedGrants(async () => {
    asked += 1;
    return undefined;
  });
  await find(dev1);
  await find(dev1);
  expect(asked).toBe(1);
});

it("is asked once by all who ask at once, and anew by who asks after a change that the lookup may not have seen", async () => {
  const answers: ((grant: FrpGrant | undefined) => void)[] = [];
  const find = cachedGrants(() => new Promise<FrpGrant | undefined>((resolve) => answers.push(resolve)));
  const before = [find(dev1), find(dev1)];
  find.expire(dev1);
  const after = [find(dev1), find(dev1)];
  expect(answers).toHaveLength(2);
  answers[1]?.(undefined);
  expect(await Promise.all(after)).toEqual([undefined, undefined]);
  answers[0]?.(grant);
  expect(await Promise.all(before)).toEqual([grant, grant]);
  // The older answer came last, and is nobody else's.
  const next = find(dev1);
  expect(answers).toHaveLength(3);
  answers[2]?.(undefined);
  expect(await next).toBe(undefined);
});
