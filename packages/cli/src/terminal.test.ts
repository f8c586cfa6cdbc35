import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { painted, visible, visibleJson, visibleLines } from "./terminal.ts";

/** What a terminal, or a reader's eye, acts upon instead of showing it: stated here anew, by Unicode's classes. */
const acts = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "\x1b",
      "\x07",
      "\r",
      "\n",
      "\x9b",
      "\u202e",
      "\u2066",
      "\u2028",
      "\u061c",
      "\ud800",
      "\0",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
});

describe("visible", () => {
  it.each([
    ["\x1b[2Jgone", "\\x1b[2Jgone"],
    ["\x1b]0;title\x07", "\\x1b]0;title\\x07"],
    ["\x9b31m", "\\x9b31m"],
    ["ok\r\ndrawbridge: all is well", "ok\\x0d\\x0adrawbridge: all is well"],
    ["abc\u202edcba", "abc\\u202edcba"],
    ["a\u2028b\u{e0041}", "a\\u2028b\\u{e0041}"],
    ["half \ud800 of one", "half \\ud800 of one"],
    ["größer · 日本語 · 👍🏽", "größer · 日本語 · 👍🏽"],
  ])("writes %j so that it is only read", (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it("leaves nothing that acts, and changes nothing else", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(visible(text)).not.toMatch(acts);
        const seen = [...text].filter((character) => !acts.test(character)).join("");
        const left = visible(text).replace(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]+\})/g, "");
        expect(left).toBe(seen.replace(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]+\})/g, ""));
      }),
    );
  });
});

it("keeps lines, of which only the first can begin at the margin", () => {
  expect(visibleLines("no way\n  a\r\nb\x1b[1m")).toBe("no way\n  a\n  b\\x1b[1m");
  fc.assert(
    fc.property(hostile, (text) => {
      const [first, ...rest] = visibleLines(text).split("\n");
      expect(first).not.toMatch(acts);
      for (const line of rest) expect(line).toMatch(/^ {2}/);
      expect(rest.join("")).not.toMatch(acts);
    }),
  );
});

it("writes JSON that says the same and acts on nothing", () => {
  expect(visibleJson({ a: ["b\u{e0041}\u202e"] })).toBe('{\n  "a": [\n    "b\\udb40\\udc41\\u202e"\n  ]\n}');
  fc.assert(
    fc.property(hostile, (text) => {
      const json = visibleJson({ text, list: [text] });
      expect(JSON.parse(json)).toEqual({ text, list: [text] });
      expect(json.replaceAll("\n", "")).not.toMatch(acts);
    }),
  );
});

it("paints on a terminal only, and not where nobody wants colour", () => {
  const terminal = { isTTY: true };
  expect(painted("red", "FAIL", terminal, {})).toBe("\x1b[31mFAIL\x1b[39m");
  expect(painted("red", "FAIL", terminal, { NO_COLOR: "1" })).toBe("FAIL");
  expect(painted("red", "FAIL", terminal, { TERM: "dumb" })).toBe("FAIL");
  expect(painted("red", "FAIL", {}, { FORCE_COLOR: "1" })).toBe("FAIL");
});
