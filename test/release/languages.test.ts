/**
 * Every argument of every component, set once: a stack that TypeScript made is previewed from other languages, whose
 * programs plan the same objects, outputs and secrets, byte for byte, and so no change. No cluster is reached.
 */

import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Given, team } from "../programs/languages/team.ts";
import { type KeptSecrets, keepSecrets, pretendUp, previewDigest, whole } from "../support/engine/digest.ts";
import { noCluster } from "../support/engine/engine.ts";
import { everyArgument, type Instance, make, unset } from "../support/engine/every-argument.ts";
import { asEvents, outputsIn, plannedIn, stackOf, withoutSources } from "../support/engine/remote.ts";
import {
  goWith,
  languageEnv,
  programFiles,
  programs,
  pythonWith,
  runToFile,
  sdksIn,
} from "../support/engine/sdks.ts";
import { containerBase } from "../support/field-edits/container-base.ts";
import { expectSuccess } from "../support/lab/lab.ts";
import { goProgram, pythonProgram } from "./program-text.fixture.ts";

const instances = everyArgument();
let folder: string;
let python: string;
let module: Awaited<ReturnType<typeof goWith>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-languages-"));
  const sdks = await sdksIn(folder);
  python = await pythonWith(sdks, join(folder, "python"));
  await cp(join(programs, "operate.py"), join(folder, "operate.py"));
  module = await goWith(sdks, join(folder, "go"), {
    ...(await programFiles("operate.go")),
    "main.go": goProgram([]),
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const given: Given = {
  gateway: "gw",
  namespace: "team-a",
  images: { proxy: "auto", container: containerBase.image },
  keys: containerBase.authorizedKeys,
  seed: containerBase.hostKey.seed,
  greeting: "hello",
};

async function goTeam(): Promise<string[]> {
  await module.write("main.go", (await programFiles("team.go"))["team.go"] ?? "");
  await expectSuccess(module.go("build", "-o", "program", "."));
  return [join(module.folder, "program")];
}

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

describe.each(Object.entries(write))("in %s", (language, written) => {
  it("a team has the same objects, secrets and outputs", async () => {
    const words = language === "Python" ? [python, resolve(programs, "team.py")] : await goTeam();
    const json = { PULUMI_OPTION_JSON: "true", DRAWBRIDGE_TEAM: JSON.stringify(given) };
    const { stdout } = await expectSuccess(preview(words, `team-${language}`, json));
    const { stack, remove } = await stackOf("nodejs", async () => team(given), { env: noCluster });
    const local = plannedIn(await previewDigest(stack));
    const outputs = outputsIn(await previewDigest(stack, asEvents));
    await remove();
    const found = plannedIn(stdout);
    expect([...found.keys()].sort()).toEqual([...local.keys()].sort());
    expect(local.size).toBeGreaterThan(20);
    const events = await expectSuccess(preview(words, `team-${language}`, { ...json, ...asEvents }));
    expect(outputs.size).toBeGreaterThan(3);
    expect(outputsIn(events.stdout)).toEqual(outputs);
    for (const [urn, resource] of local) {
      expect([urn, withoutSources(found.get(urn))]).toEqual([urn, withoutSources(resource)]);
    }
  });

  it("all that is wrong is said at once, as in the program, without a stack of the plugin's", async () => {
    const args = {
      ...containerBase,
      namespace: "Team A",
      hostKey: { seed: "Qx7vN" },
      authorizedKeys: ["nonsense"],
      storage: [{ from: { name: "Models", namespace: "team-a", claimName: "models" }, mountPath: "models" }],
    };
    const words = await written([{ kind: "DevContainer", name: "dev1", args }]);
    const { code, stdout, stderr } = await preview(words, `wrong-${language}`);
    const text = `${stdout}${stderr}`;
    expect(code).not.toBe(0);
    expect(text).toContain('DevContainer "dev1": 5 faults in its arguments, nothing was created:');
    const paths = [...text.matchAll(/^ *- (\S+?): /gm)].map(([, path]) => path);
    expect([...new Set(paths)]).toEqual(wrongPaths);
    expect(text).not.toMatch(/\.[cm]?[jt]s:\d+:\d+|node:internal/);
    expect(text).not.toContain("Qx7vN");
  });
});

const wrongPaths = [
  "authorizedKeys[0]",
  "hostKey.seed",
  "namespace",
  "storage[0].from.name",
  "storage[0].mountPath",
];
