import { expect, it } from "vitest";
import { wideLines } from "./page-width.ts";

it("tells lines that are too wide, by what they are", () => {
  const wide = (columns: number) => `x ${"y".repeat(columns - 2)}`;
  const page = [
    wide(120),
    wide(121),
    "```text",
    wide(140),
    wide(141),
    "```",
    `| ${wide(198)}`,
    `| ${wide(199)}`,
  ];
  expect(wideLines("p.md", page.join("\n"))).toEqual([
    "p.md:2: 121 columns of text, at most 120",
    "p.md:5: 141 columns of code, at most 140",
    "p.md:8: 201 columns of table, at most 200",
  ]);
  // An address, and characters of more than one unit.
  expect(wideLines("p.md", `${"https://example.com/".repeat(10)}\na ${"🙂".repeat(118)}`)).toEqual([]);
});
