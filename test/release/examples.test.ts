/**
 * The examples in Python and Go, as they stand: each is type-checked, and plans what its TypeScript program plans. The
 * stack looks as if that one had been brought up, so a preview that changes no object also shows that it can move.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goModule } from "../../scripts/release/sdk-names.ts";
import {
  type DigestResource,
  type KeptSecrets,
  keepSecrets,
  pretendUp,
  previewDigest,
  whole,
} from "../support/digest.ts";
import { noCluster } from "../support/engine.ts";
import { exampleConfig, examples, platformBeside } from "../support/examples.ts";
import { run } from "../support/lab.ts";
import { expectSuccess } from "../support/outsider.ts";
import { asEvents, outputsIn, plannedIn, stackOf, withoutSources } from "../support/remote.ts";
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
} from "../support/sdks.ts";

let folder: string;
let python: string;
let module: Awaited<ReturnType<typeof goWith>>;
const programIn = (language: string, name: string) =>
  resolve("examples", name, { Python: "python/__main__.py", Go: "go/main.go" }[language] ?? "");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-examples-"));
  const sdks = await sdksIn(folder);
  python = await pythonWith(sdks, join(folder, "python"), [kubernetesPython, "mypy==1.18.2"]);
  module = await goWith(
    sdks,
    join(folder, "go"),
    { ...(await programFiles("example.go")), "main.go": await goText("existing-code") },
    await kubernetesGo(join(folder, "kubernetes")),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The Go program, with the module's path where this repository stands elsewhere. */
async function goText(name: string): Promise<string> {
  const text = await readFile(programIn("Go", name), "utf8");
  return text.replace("github.com/drawbridge-iac/drawbridge/sdk/go/drawbridge", goModule);
}

/** Checks an example's program in a language, and returns the words that start it. */
const ready: Record<string, (name: string) => Promise<string[]>> = {
  async Python(name) {
    const program = programIn("Python", name);
    const mypy = ["-m", "mypy", "--strict", "--cache-dir", join(folder, "mypy"), program];
    await expectSuccess(run(python, mypy, { timeoutSeconds: 900 }));
    return [python, resolve(programs, "example.py"), program];
  },
  async Go(name) {
    await module.write("main.go", await goText(name));
    await expectSuccess(module.go("vet", "."));
    await expectSuccess(module.go("build", "-o", name, "."));
    return [join(module.folder, name)];
  },
};

describe.each(Object.entries(examples))("%s", (name, program) => {
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

  it.each(Object.entries(ready))("in %s", async (_, prepare) => {
    const words = await prepare(name);
    const env = { ...(await languageEnv(backend)), ...noCluster, PULUMI_OPTION_JSON: "true", ...whole };
    const { stdout } = await expectSuccess(runToFile([...words, workDir], { folder, env }));
    const found = plannedIn(stdout) as typeof expected;
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    const objects = [...expected].filter(([urn]) => urn.includes("kubernetes:"));
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
    const changed = [...found].filter(([urn, { op }]) => op !== "same" && !partly.has(urn));
    expect(changed.map(([urn]) => urn)).toEqual([]);
  });
});
