import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ArgsError, formatPath, parseArgs, showValue } from "./args-error.ts";
import { Unchecked } from "./placed.ts";
import { across, oneOf, placed, strict } from "./schema.ts";

const schema = across(
  strict({
    name: z.string(),
    count: z.number().default(1),
    color: oneOf({ red: "red", blue: "blue" }).optional(),
    token: z.string().optional(),
    later: placed(z.string().min(3, { error: "is too short" })).optional(),
  }),
  (args, fault) => {
    if (args.name === "no") fault(["name"], "may not be no");
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
        '  - count: must be a number, not "two"',
        "  - later: is too short",
        "  - name: is missing; give a string",
      ].join("\n"),
    );
  });

  it("runs checks across fields although single fields are at fault", () => {
    expect(faults({ name: "no", count: "two" })).toContain("2 faults");
  });

  it("never repeats the value of a field that may be secret", () => {
    const message = faults({ name: "a", token: { word: "hunter2" } });
    expect(message).toContain("- token: ");
    expect(message).not.toContain("hunter2");
  });

  it("takes missing arguments as none", () => {
    expect(faults(undefined)).toBe(
      'Thing "one": 1 fault in its arguments, nothing was created:\n  - name: is missing; give a string',
    );
  });

  it("lets a value pass that is known later", () => {
    for (const later of [{ __pulumiOutput: true }, Promise.resolve("ab")]) {
      const parsed = parseArgs("Thing", "one", schema, { name: "a", later }).later;
      const unchecked = parsed as unknown as Unchecked<string>;
      expect(unchecked).toBeInstanceOf(Unchecked);
      expect(unchecked.value).toBe(later);
      expect(unchecked.faults("ab")).toEqual([{ path: [], message: "is too short" }]);
      expect(unchecked.faults("abc")).toEqual([]);
    }
  });
});

describe("one mistake is one fault", () => {
  const nested = across(
    strict({
      words: z.array(z.string().min(1, { error: "is empty" })),
      group: strict({ image: z.string(), mode: oneOf({ on: "on", off: "off" }).default("on") }).prefault({
        image: "x",
      }),
      byName: z.record(z.string().regex(/^[a-z]+$/, { error: "is not a name" }), z.number()).default({}),
      later: placed(z.string()).optional(),
    }),
    ({ words, group }, fault) => {
      if (words !== undefined && words.length === 0) fault(["words"], "holds no word");
      if (words?.[0] !== undefined && words[0] === words[1]) fault(["words", 1], "is twice there");
      if (group?.mode === "on" && group.image === "off.png") fault(["group", "image"], "is not on");
    },
  );
  const found = (args: object): string[] => {
    try {
      parseArgs("Thing", "one", nested, args);
    } catch (error) {
      return (error as ArgsError).issues.map(({ path, message }) => `${path}: ${message}`);
    }
    return [];
  };

  it.each<[string, object, string[]]>([
    ["a misspelt key", { wrods: ["a"] }, [': unknown key "wrods"; did you mean "words"?']],
    [
      "two misspelt words",
      { words: ["a"], a: 1, grup: {} },
      [
        ': unknown key "a"; known: words, group, byName, later',
        ': unknown key "grup"; did you mean "group"?',
      ],
    ],
    [
      "a misspelt key beside the right one, which is wrong too",
      { words: 4, wrods: ["a"] },
      [': unknown key "wrods"; did you mean "words"?', "words: must be a list, not 4"],
    ],
    ["text for a list", { words: "a" }, ['words: must be a list, not "a"']],
    [
      "an item of a wrong type",
      { words: [[], "a", "a"] },
      ["words[0]: must be a string, not []", "words[2]: is twice there"],
    ],
    [
      "nothing for an object",
      { words: ["a"], group: null },
      ["group: is empty; give an object, or leave it out"],
    ],
    ["text for an object", { words: ["a"], group: "x" }, ['group: must be an object, not "x"']],
    ["a number for text", { words: [4] }, ['words[0]: must be a string, not 4; put it in quotes: "4"']],
    [
      "a choice nearly right",
      { words: ["a"], group: { image: "off.png", mode: "onn" } },
      ['group.mode: "onn" is not one of on, off; did you mean "on"?'],
    ],
    [
      "a number for text that may be a secret",
      { words: ["a"], later: 4 },
      ["later: must be a string; put the value in quotes"],
    ],
    ["a list for text that may be a secret", { words: ["a"], later: [4] }, ["later: must be a string"]],
    ["a bad name in a map", { words: ["a"], byName: { Bob_1: 1 } }, ["byName.Bob_1: is not a name"]],
    ["an empty list", { words: [] }, ["words: holds no word"]],
  ])("%s", (_, args, expected) => {
    expect(found(args)).toEqual(expected);
  });
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
