import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ArgsError, parseArgs } from "./args-error.ts";
import { showValue } from "./fault.ts";
import { cases, faultsFrom } from "./faults.fixture.ts";
import { across, input, oneOf, secret, strict } from "./schema.ts";
import { formatPath } from "./zod-faults.ts";

const schema = across(
  strict({
    name: z.string(),
    count: z.number().default(1),
    color: oneOf({ red: "red", blue: "blue" }).optional(),
    token: secret(z.string()).optional(),
    later: input(z.string().min(3, "{{value}} is not the name of a claim; use letters")).optional(),
  }),
  (args, fault) => {
    if (args.name === "no") fault`name: must be another`;
  },
);

function faults(args: unknown): string {
  try {
    parseArgs("Thing", "one", schema, args);
  } catch (error) {
    return error instanceof ArgsError ? error.message : String(error);
  }
  return "no fault";
}

describe("parseArgs", () => {
  it("returns the parsed value with its defaults", () => {
    expect(parseArgs("Thing", "one", schema, { name: "a" })).toEqual({ name: "a", count: 1 });
  });

  it("reports every fault of a component at once, in the order of the paths", () => {
    expect(faults({ count: "two", color: "green", extra: 1, later: "ab" })).toBe(
      [
        'Thing "one": 5 faults in its arguments, nothing was created:',
        '  - (arguments): unknown key "extra"; known: name, count, color, token, later',
        '  - color: "green" is not one of red, blue',
        '  - count: must be a whole number, not "two"',
        '  - later: "ab" is not the name of a claim; use letters',
        "  - name: is missing; set it to a string",
      ].join("\n"),
    );
  });

  it("runs checks across fields although single fields are at fault", () => {
    expect(faults({ name: "no", count: "two" })).toContain("2 faults");
  });

  it("runs them although a value is missing that might be known later", () => {
    const image = input(z.string());
    const both = across(strict({ name: z.string(), image }), (args, fault) => {
      if (args.name === "no") fault`name: must be another`;
    });
    expect(() => parseArgs("Thing", "one", both, { name: "no" } as never)).toThrow("2 faults");
  });

  it("never repeats the value of a field that is a secret", () => {
    const message = faults({ name: "a", token: { word: "hunter2" } });
    expect(message).toContain("- token: ");
    expect(message).not.toContain("hunter2");
  });

  it("takes missing arguments as none", () => {
    expect(faults(undefined)).toBe(
      'Thing "one": 1 fault in its arguments, nothing was created:\n  - name: is missing; set it to a string',
    );
  });

  it("lets a value pass that is known later", () => {
    for (const later of [{ __pulumiOutput: true }, Promise.resolve("ab")]) {
      expect(parseArgs("Thing", "one", schema, { name: "a", later } as never).later).toBe(later);
    }
  });
});

describe("one mistake is one fault", () => {
  const nested = across(
    strict({
      words: z.array(z.string().min(1, "is empty")),
      group: strict({ image: z.string(), mode: oneOf({ on: "on", off: "off" }).default("on") }).prefault({
        image: "x",
      }),
      byName: z.record(z.string().regex(/^[a-z]+$/, "is not a principal"), z.number()).default({}),
      later: secret(z.string()).optional(),
    }),
    ({ words, group }, fault) => {
      if (words !== undefined && words.length === 0) fault`words: has no day, so it never applies`;
      if (words?.[0] !== undefined && words[0] === words[1])
        fault`words.${1}: ssh is the name of sshd's own port`;
      if (group?.mode === "on" && group.image === "off.png") fault`group.image: is set by the image for root`;
    },
  );
  const found = (args: object) => faultsFrom(() => parseArgs("Thing", "one", nested, args));

  it.each(cases`
    { wrods: [a] } → : unknown key "wrods"
    { words: [a], a: 1, grup: {} } → : unknown key "a" → : unknown key "grup"
    { words: 4, wrods: [a] } → : unknown key "wrods" → words: must be a list, not 4
    { words: a } → words: must be a list, not "a"
    { words: [[], a, a] } → words[0]: must be a string, not [] → words[2]: ssh is the name of sshd's own port
    { words: [a], group: x } → group: must be an object, not "x"
    { words: [4] } → words[0]: must be a string, not 4
    { words: [a], group: { image: off.png, mode: onn } } → group.mode: "onn" is not one of on, off
    { words: [a], later: 4 } → later: must be a string
    { words: [a], later: [4] } → later: must be a string
    { words: [a], byName: { Bob_1: 1 } } → byName.Bob_1: is not a principal
    { words: [] } → words: has no day, so it never applies
  `)("%s", (_, args, expected) => {
    expect(found(args)).toEqual(expected);
  });

  it("nothing for an object", () =>
    expect(found({ words: ["a"], group: null })).toEqual(["group: is empty"]));
});

describe("messages", () => {
  it("writes paths as in code", () => {
    expect(formatPath(["a", 0, "b", "c.d", 2])).toBe('a[0].b["c.d"][2]');
    expect(formatPath([])).toBe("");
  });

  it("shows values shortened", () => {
    expect(showValue("x".repeat(100))).toBe(`"${"x".repeat(76)}...`);
    expect(showValue(undefined)).toBe("undefined");
    expect(showValue(() => 1)).toBe("a function");
    expect(showValue({ a: [1] })).toBe('{"a":[1]}');
    expect(showValue(Promise.resolve("a"))).toBe("an Output");
  });
});
