import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { duration, lineProgress, pastDurations } from "./progress.ts";

function recorded(times: number[], known: Record<string, number> = {}) {
  const lines: string[] = [];
  const progress = lineProgress(
    (line) => lines.push(line),
    () => times.shift()!,
    {
      of: (title) => known[title],
      keep: (title, milliseconds) => {
        known[title] = milliseconds;
      },
    },
  );
  return { lines, progress, known };
}

describe("lineProgress", () => {
  it("prints each step's start and duration, nested ones indented, and returns the result", async () => {
    const { lines, progress } = recorded([0, 1000, 3500, 5000]);
    const result = await progress.step("outer", () => progress.step("inner", async () => 42));
    expect(result).toBe(42);
    expect(lines).toEqual(["outer …", "  inner …", "  inner: 2.5 s", "outer: 5.0 s"]);
  });

  it("says that a step failed, passes the error on and returns to the outer depth", async () => {
    const { lines, progress } = recorded([0, 200]);
    const fault = new Error("no");
    await expect(progress.step("build", () => Promise.reject(fault))).rejects.toBe(fault);
    progress.note("after");
    expect(lines).toEqual(["build …", "build: failed after 0.2 s", "after"]);
  });

  it("counts what was planned, says how long it took last time and what is left, and remembers it", async () => {
    const { lines, progress, known } = recorded([0, 0, 500, 20_000, 20_000, 30_000], { a: 10_000, b: 5000 });
    progress.plan(["a", "b", "c"]);
    await progress.step("a", () => progress.step("unplanned", async () => {}));
    await progress.step("c", async () => {});
    expect(lines).toEqual([
      "3 steps, about 15.0 s",
      "[1/3] a … (about 10.0 s)",
      "  unplanned …",
      "  unplanned: 0.5 s",
      "[1/3] a: 20.0 s; about 5.0 s left",
      "[3/3] c …",
      "[3/3] c: 10.0 s; about 5.0 s left",
    ]);
    expect(known).toEqual({ a: 20_000, b: 5000, c: 10_000 });
  });

  it("keeps apart what runs side by side", async () => {
    const { lines, progress } = recorded([0, 0, 0, 0, 0, 0, 0, 0]);
    const twice = (name: string) =>
      progress.step(name, () => progress.step(`${name} inside`, () => Promise.resolve()));
    await Promise.all([twice("a"), twice("b")]);
    expect(lines.filter((line) => line.startsWith("  ")).every((line) => line.includes("inside"))).toBe(true);
    expect(lines.length).toBe(8);
  });
});

it("durations outlive the process, and another version of a program counts as the same", () => {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-durations-"));
  const file = join(folder, "new", "durations.json");
  pastDurations(file).keep("etcd v3.6.8: building", 1234.5);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ "etcd: building": 1235 });
  expect(pastDurations(file).of("etcd v3.7.0: building")).toBe(1235);
  // On a machine's first run, what another took.
  expect(pastDurations(join(folder, "none")).of("kubernetes v1.36.3: building")).toBeGreaterThan(60_000);
  rmSync(folder, { recursive: true });
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
