import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { benchDocument, readBenchDocument } from "./json.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-bench-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

it("a run's document is read again as it was written", () => {
  const meta = { commit: "0".repeat(40), versions: {}, provider: "any" };
  const document = benchDocument(meta, { tunnel: { drawbridge: { login: [3, 1, 2] } } });
  expect(document).toEqual({ meta, tunnel: { drawbridge: { login: 2 } } });
  expect(readBenchDocument(file("run.json", JSON.stringify(document)))).toEqual(document);
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
