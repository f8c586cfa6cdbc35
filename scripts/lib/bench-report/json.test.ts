import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type BenchDocument, benchDocument, joined, readBenchDocument, withFull } from "./json.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-bench-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

it("a run's document is read again as it was written", () => {
  const meta = { commit: "0".repeat(40), versions: {}, provider: "any", full: false };
  const document = benchDocument(meta, { tunnel: { drawbridge: { login: [3, 1, 2] } } });
  expect(document).toEqual({ meta, tunnel: { drawbridge: { login: 2 } } });
  expect(readBenchDocument(file("run.json", JSON.stringify(document)))).toEqual(document);
});

it("a full run's figures stand beside those of a whole one, whose own count", () => {
  const of = (full: boolean, reach: object) =>
    ({ meta: { commit: "1".repeat(40), versions: {}, provider: "any", full }, reach }) as BenchDocument;
  const whole = of(false, { drawbridge: { ten: 1 }, seed: { ten: 2 } });
  const full = { ...of(true, { drawbridge: { ten: 8, many: 3 }, other: { ten: 9, many: 4 } }), crowd: {} };
  expect(withFull(whole, full)).toEqual({
    ...whole,
    reach: { drawbridge: { ten: 1, many: 3 }, seed: { ten: 2 }, other: { many: 4 } },
    crowd: {},
  });
  expect(withFull(whole, undefined)).toBe(whole);
});

it("of parts of one run, the last counts, and what another commit measured is named", () => {
  const part = (commit: string, figures: object) =>
    ({ meta: { commit }, ...figures }) as unknown as BenchDocument;
  const parts = [part("one", { a: { x: 1 }, b: { x: 1 }, c: { x: 1 } }), part("one", { b: { x: 2 } })];
  const both = { a: { x: 1 }, b: { x: 2 }, c: { x: 1 } };
  expect(joined(parts)).toEqual({ meta: { commit: "one" }, ...both });
  const three = joined([...parts, part("two", { c: { x: 3 } })]);
  expect(three).toEqual({ meta: { commit: "two", others: { a: "one", b: "one" } }, ...both, c: { x: 3 } });
  expect(joined([three as BenchDocument, part("six", { b: { x: 6 } })])?.meta).toEqual({
    commit: "six",
    others: { a: "one", c: "two" },
  });
  expect(joined([])).toBeUndefined();
});

it("what a full run measured at another commit is named as well", () => {
  const of = (others: object | undefined) =>
    ({ meta: { commit: "one", ...(others && { others }) } }) as unknown as BenchDocument;
  expect(withFull(of({ a: "two" }), of({ b: "three" })).meta).toEqual({
    commit: "one",
    others: { a: "two", b: "three" },
  });
  expect(withFull(of(undefined), of(undefined)).meta).toEqual({ commit: "one" });
});

it.each([
  ["page.md", "# The bench", /page\.md cannot be read as JSON \(.*\); name a file of --json$/],
  ["list.json", "[]", /list\.json holds no figures of the bench; name a file of --json$/],
  ["null.json", "null", /null\.json holds no figures of the bench; name a file of --json$/],
])("%s is refused in one sentence", (name, text, message) => {
  const path = file(name, text);
  expect(() => readBenchDocument(path)).toThrow(message);
});

it("so is a file that is not there", () => {
  expect(() => readBenchDocument(join(folder, "none.json"))).toThrow(
    /none\.json cannot be read as JSON \(ENOENT/,
  );
});
