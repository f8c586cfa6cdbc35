/**
 * Every argument of every component, set once: a stack that TypeScript made is previewed from other languages, whose
 * programs plan the same objects, outputs and secrets, byte for byte, and so no change. No cluster is reached.
 */

import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import {
  type KeptSecrets,
  keepSecrets,
  pretendUp,
  previewDigest,
  whole,
} from "../../scripts/lib/engine/digest.ts";
import { noCluster } from "../../scripts/lib/engine/engine.ts";
import { plannedIn, stackOf } from "../../scripts/lib/engine/remote.ts";
import {
  goWith,
  languageEnv,
  programFiles,
  programs,
  pythonWith,
  runToFile,
  sdksIn,
} from "../../scripts/lib/engine/sdks.ts";
import { expectSuccess } from "../../scripts/lib/lab/lab.ts";
import { everyArgument, type Instance, make, unset } from "../support/engine/every-argument.ts";
import { goProgram, pythonProgram } from "./program-text.fixture.ts";

const instances = everyArgument();
const folder = temporaryFolder();
let python: string;
let module: Awaited<ReturnType<typeof goWith>>;

beforeAll(async () => {
  const sdks = await sdksIn(folder);
  python = await pythonWith(sdks, join(folder, "python"));
  await cp(join(programs, "operate.py"), join(folder, "operate.py"));
  module = await goWith(sdks, join(folder, "go"), {
    ...(await programFiles("operate.go")),
    "main.go": goProgram([]),
  });
});

/** A program of these components in a language, as the words that start it. */
const write: Record<string, (instances: readonly Instance[]) => Promise<string[]>> = {
  async Python(instances) {
    const file = join(folder, "program.py");
    await writeFile(file, pythonProgram(instances));
    return [python, file];
  },
  async Go(instances) {
    await module.write("main.go", goProgram(instances));
    await expectSuccess(module.go("build", "-o", "program", "."));
    return [join(module.folder, "program")];
  },
};

async function preview(words: readonly string[], backend: string, env: Record<string, string> = {}) {
  const all = { ...(await languageEnv(join(folder, backend))), ...noCluster, ...env };
  return runToFile([...words, "preview"], { folder, cwd: folder, env: all });
}

describe("every argument of every component", () => {
  /** What a second preview from TypeScript plans. */
  let expected: Map<string, { readonly op: string }>;
  let changed: string[];

  beforeAll(async () => {
    const kept: KeptSecrets = new Map();
    const program = async () => {
      keepSecrets(kept);
      for (const instance of instances) make(instance);
    };
    const backend = join(folder, "state");
    const { stack, remove } = await stackOf("nodejs", program, { backend, env: noCluster });
    const partly = await pretendUp(stack, kept);
    expected = plannedIn(await previewDigest(stack, whole));
    await remove();
    // The made-up state has the whole of most of these, components too.
    changed = [...expected].filter(([urn, { op }]) => op !== "same" && !partly.has(urn)).map(([urn]) => urn);
  });

  it("is in the programs, and TypeScript itself plans no change", () => {
    expect(unset(instances)).toEqual([]);
    expect(expected.size).toBeGreaterThan(1000);
    expect(changed).toEqual([]);
  });

  it.each(Object.entries(write))("in %s: the same is planned, and no change", async (_, written) => {
    const words = await written(instances);
    const { stdout } = await expectSuccess(preview(words, "state", { PULUMI_OPTION_JSON: "true", ...whole }));
    const found = plannedIn(stdout);
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    // One by one, so that a difference can be read.
    for (const [urn, resource] of expected) expect([urn, found.get(urn)]).toEqual([urn, resource]);
  });
});
