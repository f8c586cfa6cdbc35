import { describe, expect, it } from "vitest";
import { checkedLine, checkedName, checkedPath } from "./checked-line.ts";

const control = ["\n", "\r", "\0", "\t", "\x1b", "\x7f", "\x85", "\u2028", "\u2029"];

describe("a line", () => {
  it("of visible characters stays as it is", () => {
    const line = 'Host größer "a b" $HOME `x` \\ ~!';
    expect(checkedLine(line)).toBe(line);
  });

  it.each(control)("that holds %j is refused", (character) => {
    const line = `User a${character}b`;
    expect(() => checkedLine(line)).toThrow(
      new Error(`${JSON.stringify(line)} holds a line break or another control character; take it out`),
    );
  });
});

describe("a name", () => {
  it.each(["a", "Z", "7", "_a", "pod--web-0.sshpod", "a.B_c:9/d+e@f"])("may be %j", (name) => {
    expect(checkedName(name)).toBe(name);
  });

  it.each([
    "",
    "-a",
    ".a",
    "@a",
    "+a",
    ":a",
    "/a",
    "a b",
    " a",
    "a ",
    "a*",
    "*a",
    "a,b",
    "!a",
    "a?",
    "ä",
    "aä",
    "a\n",
  ])("may not be %j", (name) => {
    expect(() => checkedName(name)).toThrow(
      new Error(
        `${JSON.stringify(name)} is not a name for ssh; use letters, digits, ., _ and -, beginning with a letter or digit`,
      ),
    );
  });
});

describe("a path", () => {
  it.each(["a", "/home/a b/ä", "C:\\Users\\a", "\\\\server\\a", "a\\b"])("may be %j", (path) => {
    expect(checkedPath(path)).toBe(path);
  });

  it.each(["", 'a"b', "a`b", "a$b", "a\\", ...control.map((character) => `a${character}b`)])(
    "may not be %j",
    (path) => {
      expect(() => checkedPath(path)).toThrow(
        new Error(
          `${JSON.stringify(path)} cannot stand in an ssh_config; use a path without quotes, $ and control characters`,
        ),
      );
    },
  );
});
