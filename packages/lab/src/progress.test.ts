import { describe, expect, it } from "vitest";
import { duration, lineProgress } from "./progress.ts";

function recorded(...times: number[]) {
  const lines: string[] = [];
  const progress = lineProgress(
    (line) => lines.push(line),
    () => times.shift()!,
  );
  return { lines, progress };
}

describe("lineProgress", () => {
  it("prints each step's start and duration, nested ones indented, and returns the result", async () => {
    const { lines, progress } = recorded(0, 1000, 3500, 5000);
    const result = await progress.step("outer", () => progress.step("inner", async () => 42));
    expect(result).toBe(42);
    expect(lines).toEqual(["outer …", "  inner …", "  inner: 2.5 s", "outer: 5.0 s"]);
  });

  it("says that a step failed, passes the error on and returns to the outer depth", async () => {
    const { lines, progress } = recorded(0, 200);
    const fault = new Error("no");
    await expect(progress.step("build", () => Promise.reject(fault))).rejects.toBe(fault);
    progress.note("after");
    expect(lines).toEqual(["build …", "build: failed after 0.2 s", "after"]);
  });
});

describe("duration", () => {
  it.each([
    [0, "0.0 s"],
    [59_940, "59.9 s"],
    [59_960, "1 min 0 s"],
    [185_000, "3 min 5 s"],
  ])("%d ms is %s", (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });
});
