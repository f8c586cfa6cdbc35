import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textOf, wrong } from "./fault.ts";
import { texts, unguessed } from "./fault-texts.ts";

const packages = join(import.meta.dirname, "../../..");
const sources = globSync("{drawbridge,cli}/src/**/*.ts", { cwd: packages })
  .filter((file) => !/\.(test|fixture)\.ts$|-texts\.ts$/.test(file))
  .map((file) => readFileSync(join(packages, file), "utf8"))
  .join("\n");

describe("the table of texts", () => {
  it("has no text that nothing says", () => {
    expect(Object.keys(texts).filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
    expect(Object.keys(unguessed).filter((code) => !Object.hasOwn(texts, code))).toEqual([]);
  });

  it("names things and not people, in sentences that go on after a path", () => {
    const odd =
      /\b(nobody|somebody|whoever|who|whom|is no|are no|of ours)\b|[.!]$|\s{2}|^[A-Z][a-z]+ (is|has)\b/;
    expect(Object.entries(texts).filter(([, text]) => odd.test(text))).toEqual([]);
  });
});

describe("the text of a fault", () => {
  it("says what was meant, or what is known", () => {
    const known = ["name", "size"];
    expect(textOf(wrong("unknown-key", { key: "nmae", known, meant: "name" }))).toBe(
      'unknown key "nmae"; did you mean "name"?',
    );
    expect(textOf(wrong("unknown-key", { key: "x", known }))).toBe('unknown key "x"; known: name, size');
    expect(textOf(wrong("no-such-storage", { name: "a", storages: [] }))).toBe(
      '"a" is not a storage of this file; storages: none',
    );
  });

  it("shows a value as JSON, unless it is secret, and takes nothing in it for a place", () => {
    const fault = (value: unknown, isSecret: boolean) => ({
      code: "not-a-port" as const,
      params: { value },
      isSecret,
    });
    expect(textOf(fault("{{value}}", false))).toBe(
      '"{{value}}" is not a port; give a whole number from 1 to 65535',
    );
    expect(textOf(fault("hunter2", true))).toBe(
      "(secret) is not a port; give a whole number from 1 to 65535",
    );
  });
});
