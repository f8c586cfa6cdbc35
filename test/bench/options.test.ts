import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseOptions, UsageError } from "./options.ts";

const names = ["survival", "reach", "start"];

describe("the bench's arguments", () => {
  it("name every scenario by default, and no file", () => {
    expect(parseOptions([], names)).toEqual({ only: names, full: false });
  });

  it("take some scenarios, in the bench's order, each once", () => {
    const args = ["--only", "start", "--only=survival", "--only", "start", "--json", "figures.json"];
    expect(parseOptions([...args, "--compare", "before.json", "--full"], names)).toEqual({
      only: ["survival", "start"],
      full: true,
      json: resolve("figures.json"),
      compare: resolve("before.json"),
    });
  });

  it.each([
    [
      ["--only", "speed", "--only", "x"],
      'there is no scenario "speed" or "x"; use one of survival, reach, start',
    ],
    [
      ["--fast"],
      "Unknown option '--fast'; usage: npm run bench [-- [--only NAME]... [--json FILE] [--compare FILE] [--full]]",
    ],
    [
      ["reach"],
      "Unexpected argument 'reach'; usage: npm run bench [-- [--only NAME]... [--json FILE] [--compare FILE] [--full]]",
    ],
    [
      ["--json"],
      "Option '--json <value>' argument missing; usage: npm run bench [-- [--only NAME]... [--json FILE] [--compare FILE] [--full]]",
    ],
  ])("%j are refused in one sentence", (args, message) => {
    expect(() => parseOptions(args, names)).toThrow(new UsageError(message));
  });
});
