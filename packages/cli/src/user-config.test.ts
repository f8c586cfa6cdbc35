import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { includeLine, withBlock, withoutBlock } from "./user-config.ts";

const file = "/home/a/.ssh/drawbridge/config";
const marked = (note: string) =>
  `# >>> drawbridge: written by \`drawbridge ssh-config\`, removed by \`drawbridge ssh-config --remove\` >>>\n${note}Include ${file}\n# <<< drawbridge <<<\n`;

describe("withBlock and withoutBlock", () => {
  it("puts the block before everything", () => {
    expect(withBlock(Buffer.from("Host *\n  User x"), includeLine(file)).toString()).toBe(
      `${marked("")}Host *\n  User x`,
    );
    expect(withBlock(undefined, includeLine(file)).toString()).toBe(
      marked("# This file did not exist before.\n"),
    );
  });

  it.each([
    ["/home/a b/.ssh/drawbridge/config", '"/home/a b/.ssh/drawbridge/config"'],
    ["/home/o'neil/.ssh/drawbridge/config", `"/home/o'neil/.ssh/drawbridge/config"`],
    ["C:\\Users\\a\\.ssh\\drawbridge\\config", "C:\\Users\\a\\.ssh\\drawbridge\\config"],
  ])(
    "quotes a path only where ssh would take it apart, since programs in Go keep the quotes: %s",
    (path, word) => {
      expect(withBlock(undefined, includeLine(path)).toString().split("\n")[2]).toBe(`Include ${word}`);
    },
  );

  it("restores the bytes of 200 random configs, and does nothing when done twice", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "Host *",
        "  User me",
        "# note",
        "",
        "Match all",
        "Include other",
        "\tPort 22\r",
        "Host a b",
      ),
      fc.string({ unit: "binary" }),
    );
    const text = fc.array(line).map((lines) => Buffer.from(lines.join("\n")));
    const bytes = fc.uint8Array().map((array) => Buffer.from(array));
    fc.assert(
      fc.property(fc.option(fc.oneof(text, bytes), { nil: undefined }), (before) => {
        const once = withBlock(before, includeLine(file));
        expect(withBlock(once, includeLine(file)).equals(once)).toBe(true);
        const restored = withoutBlock(once);
        if (before === undefined) expect(restored).toBe(undefined);
        else expect(restored?.equals(before)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps what was added to a file that did not exist before", () => {
    const later = Buffer.concat([withBlock(undefined, includeLine(file)), Buffer.from("Host mine\n")]);
    expect(withoutBlock(later)?.toString()).toBe("Host mine\n");
  });

  it("leaves a config without our block alone", () => {
    expect(withoutBlock(Buffer.from("Host x\n"))?.toString()).toBe("Host x\n");
  });
});
