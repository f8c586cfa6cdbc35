import { describe, expect, it } from "vitest";
import { collapse, inline, joined, visible } from "./report-text.ts";

it("counts up what is counted up, and shows five of the rest", () => {
  expect(joined(["a"])).toBe("a");
  expect(joined(["dev1", "dev2"])).toBe("dev1, dev2");
  expect(joined(["dev8", "dev9", "dev10", "x"])).toBe("dev8 to dev10, x");
  expect(joined(["dev008", "dev009", "dev010"])).toBe("dev008 to dev010");
  expect(joined(["dev8", "dev9", "dev010"])).toBe("dev8, dev9, dev010");
  expect(joined(["a", "b", "c", "d", "e1", "e2", "e3", "f", "g"])).toBe("a, b, c, d, e1 to e3 and 2 more");
});

it("does not depend on the order in which a preview names things", () => {
  expect(joined(["dev10", "dev2", "dev1", "dev3", "dev9"])).toBe("dev1 to dev3, dev9, dev10");
  const restart = (about: string) => ({ about, text: `${about} restarts` });
  expect(collapse(["dev10", "dev2", "dev1"].map(restart))).toEqual([
    "dev1 restarts (the same for dev2, dev10)",
  ]);
});

it("joins lines that differ in what they are about only, parts of it included", () => {
  const line = (about: string, text: string) => ({ about, text });
  expect(
    collapse([
      line("dev1", "Secret dev1-key of dev1"),
      line("dev2", "Secret dev2-key of dev2"),
      line("dev3", "Secret dev2-key of dev3"),
    ]),
  ).toEqual(["Secret dev1-key of dev1 (the same for dev2)", "Secret dev2-key of dev3"]);
});

describe("what is written into a report", () => {
  it.each([
    ["everybody", "@all", "\uff20all"],
    ["after a bracket", "(@team/devs)", "(\uff20team/devs)"],
    ["after a backtick that ends code", "`a` `@all", "`a` `\uff20all"],
    ["after a letter that is none of ASCII", "\u00e9@all", "\u00e9\uff20all"],
    ["after a slash, a point and a line", "/@a .@b -@c", "/\uff20a .\uff20b -\uff20c"],
    ["after a mark that is not seen", "a\u200b@all", "a\\u200b\uff20all"],
  ])("calls nobody: %s", (_, text, shown) => {
    expect(inline(text)).toBe(shown);
  });

  it.each(["registry.example.com/a@sha256:0a", "alice@example.com", "https://user@example.com"])(
    "stays as it is: %s",
    (text) => {
      expect(inline(text)).toBe(text);
    },
  );

  it.each([
    ["the direction turned", "a\u202eb", "a\\u202eb"],
    ["isolates", "\u2066a\u2069", "\\u2066a\\u2069"],
    ["the marks of a direction", "\u200e\u200f\u061c", "\\u200e\\u200f\\u061c"],
    ["no width", "a\u200b\u200d\u2060b", "a\\u200b\\u200d\\u2060b"],
    ["a soft hyphen", "a\u00adb", "a\\u00adb"],
    ["a filler that looks like nothing", "a\u3164b", "a\\u3164b"],
    ["a variation", "a\ufe0fb", "a\\ufe0fb"],
    ["tags beyond 16 bits", "a\u{e0041}b", "a\\udb40\\udc41b"],
    ["an escape of terminals", "a\u001b[31mb", "a\\u001b[31mb"],
    ["half a character", "a\ud800b", "a\\ud800b"],
  ])("hides nothing: %s", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(inline(text)).toBe(shown);
    expect(visible("Z\u00fcrich \u6771\u4eac\n\t\ud83d\ude00")).toBe(
      "Z\u00fcrich \u6771\u4eac\n\t\ud83d\ude00",
    );
  });
});
