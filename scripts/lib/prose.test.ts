import { describe, expect, it } from "vitest";
import { proseFaultsOf } from "./prose.ts";

const faults = (text: string) => proseFaultsOf("p.md", text);

describe("a page's English", () => {
  it("is told by line: a word twice, a turn of phrase, a sentence that is two", async () => {
    expect(await faults("Good.\n\nIt is is late.")).toEqual([
      "p.md:3: Unexpected repeated `is`, remove one occurrence",
    ]);
    expect(await faults("Root inside is nobody on the node.")).toEqual([
      'p.md:1: "is nobody": say what it cannot do',
    ]);
    expect(await faults(`${"on and ".repeat(33)}on.`)).toEqual([
      "p.md:1: a sentence of 67 words, at most 65",
    ]);
  });

  it("is not looked for in code, in what a program wrote, or in tables' rules", async () => {
    const made = "<!-- run begins -->\nIt is is late.\n<!-- run ends -->";
    expect(await faults(`\`\`\`sh\nis is nobody\n\`\`\`\n\n${made}\n\n| a |\n|---|\n| b |\n`)).toEqual([]);
    expect(await faults("Root inside is unprivileged on the node.")).toEqual([]);
  });
});
