/** Examples in Pulumi YAML, run by Pulumi's own host, beside the TypeScript programs whose plans they have. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import { beforeAll, expect, it } from "vitest";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { type PulumiTools, pulumiTools, withFolders } from "../../../packages/lab/src/pulumi.ts";
import { ensureTools } from "../../../packages/lab/src/tools/index.ts";
import { previewDigest } from "../../../scripts/lib/engine/digest.ts";
import { noCluster } from "../../../scripts/lib/engine/engine.ts";
import {
  asEvents,
  outputsIn,
  plannedInEvents,
  stackOf,
  withoutSources,
  withPlugin,
} from "../../../scripts/lib/engine/remote.ts";
import { exampleConfig, examples, needsPlatform, platformBeside } from "./examples.ts";

const fileOf = (name: string) => `examples/${name}/yaml/Pulumi.yaml`;
export const yamlOf = (name: string) => readFileSync(fileOf(name), "utf8");
/** The examples that there are in YAML. */
export const writtenInYaml = Object.keys(examples).filter((name) => existsSync(fileOf(name)));

let tools: PulumiTools;
let host: string;

beforeAll(async () => {
  tools = await pulumiTools(silentProgress);
  host = (await ensureTools(["pulumi-language-yaml"], silentProgress))["pulumi-language-yaml"];
}, 1_800_000);

interface Plan {
  readonly resources: ReturnType<typeof plannedInEvents>;
  readonly outputs: ReturnType<typeof outputsIn>;
}

async function planOf(name: string, stack: Stack): Promise<Plan> {
  await stack.setAllConfig(exampleConfig, true);
  if (needsPlatform(name)) await platformBeside(stack);
  const events = await previewDigest(stack, asEvents);
  return { resources: plannedInEvents(events), outputs: outputsIn(events) };
}

/**
 * Runs `use` with a stack of the program in a folder of its own.
 * @param env by default one that reaches no cluster
 */
export async function withYaml<T>(
  text: string,
  use: (stack: Stack) => Promise<T>,
  env: Record<string, string> = noCluster,
): Promise<T> {
  const workDir = await mkdtemp(join(tmpdir(), "drawbridge-yaml-"));
  try {
    // The URNs are those of the TypeScript program.
    await writeFile(join(workDir, "Pulumi.yaml"), text.replace(/^name: .*$/m, "name: drawbridge-test"));
    const envVars = {
      ...tools.env,
      ...env,
      PATH: withFolders([dirname(host)], withPlugin(tools.env.PATH)),
      PULUMI_BACKEND_URL: `file://${workDir}`,
      PULUMI_CONFIG_PASSPHRASE: "only for tests",
    };
    const options = { pulumiCommand: tools.command, envVars };
    return await use(await LocalWorkspace.createOrSelectStack({ stackName: "test", workDir }, options));
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function planOfProgram(name: string): Promise<Plan> {
  const run = async () => examples[name]?.() as Record<string, unknown>;
  const { stack, remove } = await stackOf("nodejs", run, { env: noCluster });
  try {
    return await planOf(name, stack);
  } finally {
    await remove();
  }
}

/** A program in YAML asks for no version of the Kubernetes provider. */
export const compared = (object?: object) =>
  JSON.parse(JSON.stringify(withoutSources(object)).replace(/::default_[\d_]+::/, "::default::"));

/** Declares a test of each. */
export const planTheSame = (names: readonly string[]) =>
  it.each(names)("%s plans the same objects and outputs", async (name) => {
    const expected = await planOfProgram(name);
    const found = await withYaml(yamlOf(name), (stack) => planOf(name, stack));
    expect([...found.resources.keys()].sort()).toEqual([...expected.resources.keys()].sort());
    const objects = [...expected.resources].filter(([urn]) => urn.includes("kubernetes:"));
    expect(objects.length).toBeGreaterThan(10);
    for (const [urn, object] of objects) {
      expect([urn, compared(found.resources.get(urn))]).toEqual([urn, compared(object)]);
    }
    // The stack's, and each component's.
    expect(expected.outputs.size).toBeGreaterThan(1);
    expect(found.outputs).toEqual(expected.outputs);
  });
