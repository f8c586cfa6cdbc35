import { describe, expect, it } from "vitest";
import { unlistedBlocks, untakenBlocks } from "./page-blocks.ts";
import { blocksOf } from "./pages/page-blocks.ts";

const page = (text: string) => blocksOf("docs/x.md", text);
const listed = { page: "docs/x.md", language: "sh", mark: "pulumi up" };

describe("blocks of a page", () => {
  it("are found with their language and line, in lists too", () => {
    expect(page("a\n```sh\nls\n```\n- b\n  ```\n  c\n    d\n  ```\n")).toEqual([
      { page: "docs/x.md", line: 2, language: "sh", text: "ls\n" },
      { page: "docs/x.md", line: 6, language: "", text: "c\n  d\n" },
    ]);
  });

  it("have to be listed once, have to name their language, and nothing else is listed", () => {
    expect(unlistedBlocks(page("```sh\npulumi up\n```\n```ts\nx\n```\n```text\ny\n```\n"), [listed])).toEqual(
      [],
    );
    expect(unlistedBlocks(page("```sh\npulumi up\n```\n```sh\nls\n```\n```\nls\n```\n"), [listed])).toEqual([
      "docs/x.md:4: a block of sh is listed 0 times, and must be once",
      "docs/x.md:7: a block without a language is listed 0 times, and must be once",
    ]);
    expect(unlistedBlocks(page("```sh\npulumi up\n```\n"), [listed, { ...listed, mark: "up" }])).toEqual([
      "docs/x.md:1: a block of sh is listed 2 times, and must be once",
    ]);
    expect(unlistedBlocks([], [listed])).toEqual(['no page has the listed block docs/x.md, sh, "pulumi up"']);
  });

  it("have to be taken from the page by the test that is named", () => {
    expect(
      untakenBlocks([{ ...listed, mark: "no test has this", tests: ["scripts/run.test.ts", "none.ts"] }]),
    ).toEqual([
      'docs/x.md, sh, "no test has this": scripts/run.test.ts does not take it from the page',
      'docs/x.md, sh, "no test has this": none.ts is not there',
    ]);
  });
});
