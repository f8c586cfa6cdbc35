import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { TimeoutError, within } from "./deadline.ts";

const forever = (signal: AbortSignal) => sleep(60_000, "done", { signal });
const never = new AbortController().signal;

test("a wait that is over in time gives its value", async () => {
  expect(await within(1000, never, async () => "value")).toBe("value");
});

test("a wait ends at the deadline", async () => {
  await expect(within(50, never, forever)).rejects.toThrow(new TimeoutError(50));
  expect(new TimeoutError(90_000).message).toBe("timed out after 1 min 30 s");
});

test("a wait ends when the engine cancels", async () => {
  const cancel = new AbortController();
  const wait = within(60_000, cancel.signal, forever);
  cancel.abort();
  await expect(wait).rejects.toThrow("the operation was cancelled");
});

test("an error of its own stays what it is", async () => {
  await expect(
    within(1000, never, () => Promise.reject(new Error("the object was deleted"))),
  ).rejects.toThrow("the object was deleted");
});
