import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseOptions, UsageError } from "../../scripts/lib/bench-report/options.ts";

const run = async () => ({});
const names = ["survival", "reach", "start"];
const scenarios = [{ name: "survival" }, { name: "reach", runFull: run }, { name: "start", runFull: run }];

describe("the bench's arguments", () => {
  it("name every scenario by default, and no file", () => {
    expect(parseOptions([], scenarios)).toEqual({ only: names, full: false });
  });

  it("take some scenarios, in the bench's order, each once", () => {
    const args = ["--only", "start", "--only=survival", "--only", "start", "--json", "figures.json"];
    expect(parseOptions([...args, "--compare", "before.json"], scenarios)).toEqual({
      only: ["survival", "start"],
      full: false,
      json: resolve("figures.json"),
      compare: resolve("before.json"),
    });
  });

  it("take with --full only scenarios that have larger sizes", () => {
    expect(parseOptions(["--full"], scenarios)).toEqual({ only: ["reach", "start"], full: true });
  });

  it.each([
    [
      ["--only", "survival", "--full"],
      'there is no scenario "survival" with --full; use one of reach, start',
    ],
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
    expect(() => parseOptions(args, scenarios)).toThrow(new UsageError(message));
  });
});
