import { expect, it } from "vitest";
import { figureFaultsOf } from "./page-figures.ts";

it("a number with a unit has a record or is listed, and a list has nothing else", () => {
  const text =
    "Ends after 30 s.\n\n`5 s`, <!--tunnel/frp/login-->168 ms<!---->\n\n```sh\nsleep 3 s\n```\ntook 2.5 GiB\n";
  expect(figureFaultsOf("x.md", text, "30 s, 2.5 GiB")).toEqual([]);
  expect(figureFaultsOf("x.md", text, "30 s, 1 h")).toEqual([
    'x.md:8: "2.5 GiB" has no record, and is not in scripts/lib/page-figures.ts',
    'x.md has no "1 h", which scripts/lib/page-figures.ts lists',
  ]);
});
