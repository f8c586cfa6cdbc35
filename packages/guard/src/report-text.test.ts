import { expect, it } from "vitest";
import { collapse, joined } from "./report-text.ts";

it("counts up what is counted up, and shows five of the rest", () => {
  expect(joined(["a"])).toBe("a");
  expect(joined(["dev1", "dev2"])).toBe("dev1, dev2");
  expect(joined(["dev8", "dev9", "dev10", "x"])).toBe("dev8 to dev10, x");
  expect(joined(["dev008", "dev009", "dev010"])).toBe("dev008 to dev010");
  expect(joined(["dev8", "dev9", "dev010"])).toBe("dev8, dev9, dev010");
  expect(joined(["a", "b", "c", "d", "e1", "e2", "e3", "f", "g"])).toBe("a, b, c, d, e1 to e3 and 2 more");
});

it("does not depend on the order in which a preview names things", () => {
  expect(joined(["dev10", "dev2", "dev1", "dev3", "dev9"])).toBe("dev1 to dev3, dev9, dev10");
  const restart = (about: string) => ({ about, text: `${about} restarts` });
  expect(collapse(["dev10", "dev2", "dev1"].map(restart))).toEqual([
    "dev1 restarts (the same for dev2, dev10)",
  ]);
});

it("joins lines that differ in what they are about only, parts of it included", () => {
  const line = (about: string, text: string) => ({ about, text });
  expect(
    collapse([
      line("dev1", "Secret dev1-key of dev1"),
      line("dev2", "Secret dev2-key of dev2"),
      line("dev3", "Secret dev2-key of dev3"),
    ]),
  ).toEqual(["Secret dev1-key of dev1 (the same for dev2)", "Secret dev2-key of dev3"]);
});
