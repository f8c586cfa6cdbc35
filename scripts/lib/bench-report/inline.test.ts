import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pages } from "../pages/page-blocks.ts";
import { markedFigures, withFigures } from "./inline.ts";
import type { BenchDocument } from "./json.ts";

const document: BenchDocument = {
  meta: { commit: "0".repeat(40), versions: {}, provider: "the provider", full: false },
  tunnel: { "drawbridge proxy": { login: 0.149 } },
};
const sentence = (text: string) => `A login takes <!--tunnel/drawbridge proxy/login-->${text}<!---->.`;

describe("a figure in a sentence", () => {
  it("is the document's", () => {
    expect(withFigures(sentence("1 s"), document)).toBe(sentence("149 ms"));
    expect(withFigures("149 ms", document)).toBe("149 ms");
  });

  it("has to have been measured", () => {
    expect(() => withFigures("<!--tunnel/nc/login-->1 s<!---->", document)).toThrow(
      "no bench has measured tunnel/nc/login",
    );
  });
});

it("pages have marks for figures, and none at the beginning of a line", () => {
  const texts = pages().map((page) => [page, readFileSync(page, "utf8")] as const);
  // Markdown would take the rest of the paragraph for HTML.
  const atLineStart = texts.filter(([, text]) => /^\s*<!--\w+\//m.test(text));
  expect(atLineStart.map(([page]) => page)).toEqual([]);
  expect(texts.reduce((sum, [, text]) => sum + markedFigures(text), 0)).toBeGreaterThan(10);
});
