import { expect, it } from "vitest";
import { closing, render, score } from "./score.ts";

const source = 'const ports = [22, 80];\nconst name = "wall";\n';
const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
});
const mutant = (outcome: string, replacement: string, location = at(1, 15, 23)) => ({
  outcome,
  replacement,
  location,
});
const report = (...mutants: ReturnType<typeof mutant>[]) => ({ files: { "a.ts": { source, mutants } } });
const why = { file: "a.ts", code: '"wall"', replacement: '""', why: "a name for people only" };

it("counts what was noticed, and says what was not", () => {
  const scores = score(
    report(
      mutant("failed", "[]"),
      mutant("late", "[]"),
      mutant("not met", "[22]"),
      mutant("passed", '""', at(2, 14, 20)),
    ),
    [why],
  );
  expect(scores).toEqual([
    {
      file: "a.ts",
      noticed: 2,
      survivors: [
        { line: 1, code: "[22, 80]", replacement: "[22]", why: undefined },
        { line: 2, code: '"wall"', replacement: '""', why: "a name for people only" },
      ],
    },
  ]);
  expect(render(scores)).toBe(
    [
      "",
      " 50.0 %        2 of 4  a.ts",
      " 50.0 %        2 of 4  all",
      "",
      "a.ts:1: [22, 80] → [22]: NOT EXPLAINED",
      'a.ts:2: "wall" → "": a name for people only',
    ].join("\n"),
  );
});

it("ends well only with 90 % in every file and a reason for each survivor", () => {
  const killed = Array.from({ length: 9 }, () => mutant("failed", "[]"));
  const survivor = mutant("passed", '""', at(2, 14, 20));
  expect(closing(score(report(...killed, survivor), [why]))).toBe(0);
  expect(closing(score(report(...killed, survivor), [{ ...why, file: "b.ts" }]))).toBe(1);
  expect(closing(score(report(...killed.slice(1), survivor), [why]))).toBe(1);
  expect(closing(score(report(), []))).toBe(0);
});
