import { expect, it, vi } from "vitest";
import { leftBehind, removeAll, withCleanup } from "./cleanup.ts";

const recorder = () => {
  const removed: string[] = [];
  return { removed, removal: (name: string) => async () => void removed.push(name) };
};

it("removes in reverse order, after the work and once", async () => {
  const { removed, removal } = recorder();
  const value = await withCleanup(async (later) => {
    later(removal("first"));
    later(removal("second"));
    expect(removed).toEqual([]);
    return "done";
  });
  await removeAll();
  expect([value, ...removed]).toEqual(["done", "second", "first"]);
});

it("removes when the work fails, and says what failed", async () => {
  const { removed, removal } = recorder();
  const failing = withCleanup(async (later) => {
    later(removal("first"));
    throw new Error("no route");
  });
  await expect(failing).rejects.toThrow("no route");
  expect(removed).toEqual(["first"]);
});

it("removes the others when one removal fails, tells and counts it, and keeps what was measured", async () => {
  const { removed, removal } = recorder();
  const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const before = leftBehind();
  const value = await withCleanup(async (later) => {
    later(removal("first"));
    later(async () => {
      throw new Error("still in use");
    });
    return "measured";
  });
  expect([value, ...removed]).toEqual(["measured", "first"]);
  expect(told.mock.calls).toEqual([["not removed: Error: still in use"]]);
  expect(leftBehind() - before).toBe(1);
  told.mockRestore();
});

it("tells why the work failed although a removal failed too", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const failing = withCleanup(async (later) => {
    later(async () => {
      throw new Error("still in use");
    });
    throw new Error("no route");
  });
  await expect(failing).rejects.toThrow("no route");
  expect(told.mock.calls).toEqual([["not removed: Error: still in use"]]);
  told.mockRestore();
});

it("removes what stands when the run is interrupted, and not again after", async () => {
  const { removed, removal } = recorder();
  await withCleanup(async (later) => {
    later(removal("first"));
    await removeAll();
    expect(removed).toEqual(["first"]);
  });
  expect(removed).toEqual(["first"]);
});
