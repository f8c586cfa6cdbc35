import { expect, it } from "vitest";
import { wrapped } from "./wrapped.ts";

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
