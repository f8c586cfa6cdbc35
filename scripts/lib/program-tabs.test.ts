import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withTabs } from "../../docs/.vitepress/program-tabs.ts";

const programs = globSync("examples/*/{index.ts,python/__main__.py,go/main.go,yaml/Pulumi.yaml}").sort();

describe("a row of links to an example's programs", () => {
  it("becomes tabs that include them", () => {
    const row = "[Python](../examples/minimal/python/__main__.py) ·\n[Go](../examples/minimal/go/main.go)";
    expect(withTabs(`Before.\n\n${row}\n\nAfter.`)).toBe(
      [
        "Before.",
        "::: code-group",
        "<<< @/../examples/minimal/python/__main__.py [Python]",
        "<<< @/../examples/minimal/go/main.go [Go]",
        ":::",
        "After.",
      ].join("\n\n"),
    );
  });

  it("is another thing inside a sentence, alone, and for what is no program", () => {
    const page = [
      "[Python](../examples/minimal/python/__main__.py) and [Go](../examples/minimal/go/main.go)",
      "[Python](../examples/minimal/python/__main__.py)",
      "[storage](../examples/storage) ·\n[minimal](../examples/minimal)",
    ].join("\n\n");
    expect(withTabs(page)).toBe(page);
  });

  it("stands on a page for every example, with all of its languages", () => {
    const shown = globSync("docs/*.md").flatMap((page) => {
      const included = withTabs(readFileSync(page, "utf8")).matchAll(/^<<< @\/\.\.\/(\S+) \[/gm);
      return [...included].map(([, file]) => file);
    });
    expect([...new Set(shown)].sort()).toEqual(programs);
    expect(programs.length).toBeGreaterThan(15);
  });
});
