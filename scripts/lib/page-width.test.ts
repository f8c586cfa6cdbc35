import { expect, it } from "vitest";
import { wideLines, wrapped } from "./page-width.ts";

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

it("wraps paragraphs, and indents what continues a list item", () => {
  expect(wrapped("one two three four\n\n- five six seven eight\n- nine\n\n10. ten eleven twelve", 12)).toBe(
    "one two\nthree four\n\n- five six\n  seven\n  eight\n- nine\n\n10. ten\n    eleven\n    twelve",
  );
});

it("breaks neither code nor links, whatever stands in them", () => {
  expect(wrapped("- **`a`** `b | c d`, [e f](#g h): see (`i j`).", 10)).toBe(
    "- **`a`**\n  `b | c d`,\n  [e f](#g h):\n  see\n  (`i j`).",
  );
});

it("begins no line with what would be markup there", () => {
  expect(wrapped("aaaa bbbb - cccc", 9)).toBe("aaaa\nbbbb -\ncccc");
  expect(wrapped("aaaa bbbb # > | = + 1. cccc", 9)).toBe("aaaa\nbbbb # > | = + 1.\ncccc");
  // Bold, and a number that only a sentence has, are no markup.
  expect(wrapped("aaaa bbbb **cc** 30 dd", 9)).toBe("aaaa bbbb\n**cc** 30\ndd");
});

it("leaves headings, tables, blocks of code and lines that fit as they are", () => {
  const page = "# a long heading\n\n| a | long | row |\n\n```text\na long line of code\n```\n\nfits well";
  expect(wrapped(page, 9)).toBe(page);
});

it("counts characters, not units, and leaves what cannot be broken", () => {
  expect(wrapped("🙂🙂 🙂🙂", 5)).toBe("🙂🙂 🙂🙂");
  expect(wrapped("https://example.com/a/long/address", 9)).toBe("https://example.com/a/long/address");
});
