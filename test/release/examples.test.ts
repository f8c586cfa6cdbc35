/**
 * The examples in Python and Go, as they stand: each is type-checked, and plans what its TypeScript program plans. The
 * stack looks as if that one had been brought up, so a preview that changes no object also shows that it can move.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { containerBase } from "../../packages/drawbridge/src/host/base.trials.ts";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import {
  type DigestResource,
  type KeptSecrets,
  keepSecrets,
  pretendUp,
  previewDigest,
  unknown,
  whole,
} from "../../scripts/lib/engine/digest.ts";
import { noCluster } from "../../scripts/lib/engine/engine.ts";
import { asEvents, outputsIn, plannedIn, stackOf, withoutSources } from "../../scripts/lib/engine/remote.ts";
import {
  goWith,
  kubernetesGo,
  kubernetesPython,
  languageEnv,
  programFiles,
  programs,
  pythonWith,
  runToFile,
  sdksIn,
} from "../../scripts/lib/engine/sdks.ts";
import { expectSuccess, run } from "../../scripts/lib/lab/lab.ts";
import { later } from "../programs/languages/later.ts";
import { exampleConfig, examples, platformBeside } from "../support/pages/examples.ts";

const folder = temporaryFolder();
let python: string;
let module: Awaited<ReturnType<typeof goWith>>;
const pathIn: Readonly<Record<string, string>> = { Python: "python/__main__.py", Go: "go/main.go" };
const programIn = (language: string, name: string) => resolve("examples", name, pathIn[language] ?? "");

beforeAll(async () => {
  const sdks = await sdksIn(folder);
  python = await pythonWith(sdks, join(folder, "python"), [kubernetesPython, "mypy==1.18.2"]);
  module = await goWith(
    sdks,
    join(folder, "go"),
    {
      ...(await programFiles("example.go")),
      "main.go": await readFile(programIn("Go", "existing-code"), "utf8"),
    },
    await kubernetesGo(join(folder, "kubernetes")),
  );
});

/** Checks a program in a language, and returns the words that start it. */
const ready: Record<string, (program: string) => Promise<string[]>> = {
  async Python(program) {
    const mypy = ["-m", "mypy", "--strict", "--cache-dir", join(folder, "mypy"), program];
    await expectSuccess(run(python, mypy, { timeoutSeconds: 900 }));
    return [python, resolve(programs, "example.py"), program];
  },
  async Go(program) {
    await module.write("main.go", await readFile(program, "utf8"));
    await expectSuccess(module.go("vet", "."));
    await expectSuccess(module.go("build", "-o", "program", "."));
    return [join(module.folder, "program")];
  },
};

/** Made of a component's children, which are properties in TypeScript alone. */
const isOfChildren = (urn: string) => urn.endsWith("::ssh-west-alarm");

/** Those that stand in another language too. */
const translated = Object.entries(examples).filter(([name]) => existsSync(`examples/${name}/python`));

describe.each(translated)("%s", (name, program) => {
  let stack: Stack;
  let workDir: string;
  let backend: string;
  let removeStack: () => Promise<void>;
  /** What a second preview from TypeScript plans, and the objects of which the first did not know everything. */
  let expected: Map<string, DigestResource & { readonly op: string }>;
  let partly: Set<string>;
  let outputs: Map<string, object>;

  beforeAll(async () => {
    const kept: KeptSecrets = new Map();
    const run = async () => {
      keepSecrets(kept);
      return program() as Record<string, unknown>;
    };
    backend = join(folder, `${name}-state`);
    ({ stack, workDir, remove: removeStack } = await stackOf("nodejs", run, { backend, env: noCluster }));
    await stack.setAllConfig(exampleConfig, true);
    await platformBeside(stack);
    partly = await pretendUp(stack, kept);
    expected = plannedIn(await previewDigest(stack, whole)) as typeof expected;
    outputs = outputsIn(await previewDigest(stack, { ...whole, ...asEvents }));
  });
  afterAll(() => removeStack());

  const written = Object.entries(ready).filter(([language]) => existsSync(programIn(language, name)));

  it.each(written)("in %s", async (language, prepare) => {
    const words = await prepare(programIn(language, name));
    const env = { ...(await languageEnv(backend)), ...noCluster, PULUMI_OPTION_JSON: "true", ...whole };
    const { stdout } = await expectSuccess(runToFile([...words, workDir], { folder, env }));
    const found = plannedIn(stdout) as typeof expected;
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    const objects = [...expected].filter(([urn]) => urn.includes("kubernetes:") && !isOfChildren(urn));
    expect(objects.length).toBeGreaterThan(10);
    for (const [urn, object] of objects) {
      expect([urn, withoutSources(found.get(urn))]).toEqual([urn, withoutSources(object)]);
    }
    const events = await expectSuccess(
      runToFile([...words, workDir], { folder, env: { ...env, ...asEvents } }),
    );
    // The stack's, and each component's.
    expect(outputs.size).toBeGreaterThan(1);
    expect(outputsIn(events.stdout)).toEqual(outputs);
    const changed = [...found].filter(
      ([urn, { op }]) => !["same", "read"].includes(op) && !partly.has(urn) && !isOfChildren(urn),
    );
    expect(changed.map(([urn]) => urn)).toEqual([]);
  });
});

describe("values that are known later", () => {
  const platform = {
    image: containerBase.image,
    keys: containerBase.authorizedKeys,
    seed: pulumi.secret(containerBase.hostKey.seed),
  };
  const file: Readonly<Record<string, string>> = { Python: "later.py", Go: "later.go" };
  let stack: Stack;
  let workDir: string;
  let removeStack: () => Promise<void>;
  const backend = () => join(folder, "later-state");

  beforeAll(async () => {
    const run = async () => later();
    ({
      stack,
      workDir,
      remove: removeStack,
    } = await stackOf("nodejs", run, { backend: backend(), env: noCluster }));
  });
  afterAll(() => removeStack());

  /** Previews `later` in a language. */
  async function preview(language: string) {
    const words = await ready[language]?.(resolve(programs, file[language] ?? ""));
    const env = { ...(await languageEnv(backend())), ...noCluster, PULUMI_OPTION_JSON: "true" };
    return runToFile([...(words ?? []), workDir], { folder, env });
  }

  it.each(Object.keys(file))("in %s: the plan is TypeScript's, without a dependsOn", async (language) => {
    await platformBeside(stack, platform);
    const expected = plannedIn(await previewDigest(stack));
    const { stdout } = await expectSuccess(preview(language));
    const found = plannedIn(stdout);
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    const dev1 = [...expected].filter(([urn]) => /::dev1-/.test(urn));
    expect(dev1.length).toBeGreaterThan(7);
    const route = [...found].find(([urn]) => urn.endsWith("::dev1-route"));
    expect(JSON.stringify(route)).toMatch(/"dependencies":\[[^\]]*::gw"/);
    for (const [urn, object] of dev1) {
      expect([urn, withoutSources(found.get(urn))]).toEqual([urn, withoutSources(object)]);
      expect([urn, JSON.stringify(object)]).toEqual([
        urn,
        expect.stringContaining(`"namespace":"${unknown}"`),
      ]);
    }
  });

  it.each(Object.keys(file))(
    "in %s: a wrong one is said by its path, and what uses it is not made",
    async (language) => {
      await platformBeside(stack, { ...platform, image: "x y" });
      const { code, stdout, stderr } = await preview(language);
      const text = `${stdout}${stderr}`;
      expect(code).not.toBe(0);
      expect(text).toContain(
        'DevContainer \\"dev1\\": 1 fault in its arguments, what uses them was not made:',
      );
      expect(text).toContain('- image: \\"x y\\" is not a pinned image');
      expect(text).toContain("::gw-listeners");
      expect(text).not.toContain("::dev1-workload");
    },
  );
});
