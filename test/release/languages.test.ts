/**
 * Every argument of every component, set once: a stack that TypeScript made is previewed from other languages, whose
 * programs plan the same objects, outputs and secrets, byte for byte, and so no change. No cluster is reached.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KeptSecrets, keepSecrets, pretendUp, previewDigest } from "../support/digest.ts";
import { unreachableKubeconfig } from "../support/engine.ts";
import { everyArgument, make, unset } from "../support/every-argument.ts";
import { run } from "../support/lab.ts";
import { expectSuccess } from "../support/outsider.ts";
import { goProgram, pythonProgram } from "../support/program-text.ts";
import { plannedIn, stackOf } from "../support/remote.ts";
import { goWith, languageEnv, programFiles, programs, pythonWith, sdksIn } from "../support/sdks.ts";

const cluster = { PULUMI_K8S_KUBECONFIG: unreachableKubeconfig, KUBECONFIG: "/nonexistent" };
const instances = everyArgument();
let folder: string;
let sdks: string;
/** What a second preview from TypeScript plans. */
let expected: Map<string, object>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-languages-"));
  sdks = await sdksIn(folder);
  const kept: KeptSecrets = new Map();
  const program = async () => {
    keepSecrets(kept);
    for (const instance of instances) make(instance);
  };
  const backend = join(folder, "state");
  const { stack, remove } = await stackOf("nodejs", program, { backend, env: cluster });
  await pretendUp(stack, kept);
  expected = plannedIn(await previewDigest(stack));
  await remove();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Compares resource by resource, so that a difference is readable. */
function expectSame(found: Map<string, object>): void {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [urn, resource] of expected) expect([urn, found.get(urn)]).toEqual([urn, resource]);
}

async function previewOf(command: string, ...args: string[]): Promise<Map<string, object>> {
  const env = { ...(await languageEnv(join(folder, "state"))), ...cluster, PULUMI_OPTION_JSON: "true" };
  const { stdout } = await expectSuccess(run(command, [...args, "preview"], { env, timeoutSeconds: 1800 }));
  return plannedIn(stdout);
}

it("the programs leave no argument out", () => {
  expect(unset(instances)).toEqual([]);
  expect(expected.size).toBeGreaterThan(1000);
});

describe("the same components", () => {
  it("in Python", async () => {
    const python = await pythonWith(sdks, join(folder, "python"));
    const file = join(folder, "everything.py");
    await writeFile(file, pythonProgram(instances));
    await writeFile(join(folder, "operate.py"), (await programFiles("operate.py"))["operate.py"] ?? "");
    expectSame(await previewOf(python, file));
  });

  it("in Go", async () => {
    const files = { ...(await programFiles("operate.go")), "main.go": goProgram(instances) };
    const { folder: own, go } = await goWith(sdks, join(folder, "go"), files);
    await expectSuccess(go("build", "-o", "everything", "."));
    expectSame(await previewOf(join(own, "everything")));
  });
});
