/** The drill itself: a short one breaks nothing, one without faults finds nothing, and each planted defect is found. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import type { Entry } from "../../scripts/lib/drill-report/record.ts";
import { run } from "../../scripts/lib/lab/lab.ts";
import { defects } from "../drill/defects/index.ts";

const drill = fileURLToPath(new URL("../drill/", import.meta.url));
const plant = ["--import", join(drill, "defects/plant.ts")];
const folder = temporaryFolder();

/** Runs a drill in this lab. */
async function drilled(record: string, args: readonly string[], defect?: string) {
  const file = join(folder, record);
  const planted = defect === undefined ? [] : plant;
  const own = [join(drill, "main.ts"), ...args, "--record", file];
  const { code, stdout, stderr } = await run(process.execPath, [...planted, ...own], {
    ...(defect === undefined ? {} : { env: { DRAWBRIDGE_DEFECT: defect } }),
    timeoutSeconds: 3000,
  });
  // Behind its heading.
  const [, ...lines] = (await readFile(file, "utf8")).trimEnd().split("\n");
  return { code, said: stdout + stderr, entries: lines.map((line) => JSON.parse(line) as Entry) };
}

it("a short drill of a fixed seed breaks nothing", async () => {
  const { code, said, entries } = await drilled("short", ["--seed", "1", "--faults", "12"]);
  expect({ code, breaches: entries.flatMap(({ breaches }) => breaches) }, said).toEqual({
    code: 0,
    breaches: [],
  });
  expect(entries.map(({ index }) => index)).toEqual([...Array(12).keys()]);
});

it("a drill without faults finds nothing", async () => {
  const { code, said, entries } = await drilled("control", ["--control", "--faults", "5"]);
  expect(
    { code, entries: entries.map(({ fault, ended, breaches }) => ({ fault, ended, breaches })) },
    said,
  ).toEqual({ code: 0, entries: Array(5).fill({ fault: "none", ended: 0, breaches: [] }) });
});

describe("a planted defect is found", () => {
  it.each(defects)("$name", async ({ name, seed, faults, only, breach }) => {
    const kinds = only.flatMap((kind) => ["--only", kind]);
    const args = ["--seed", `${seed}`, "--faults", `${faults}`, ...kinds];
    const { code, said, entries } = await drilled(name.replaceAll(" ", "-"), args, name);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining("BREACH") });
    expect(entries.flatMap(({ breaches }) => breaches)).toContainEqual(expect.stringMatching(breach));
  });
});
