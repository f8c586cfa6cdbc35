/** The examples in Pulumi YAML, run by Pulumi's own host, plan what the TypeScript programs beside them plan. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import { beforeAll, describe, expect, it } from "vitest";
import { silentProgress } from "../../packages/lab/src/progress.ts";
import { type PulumiTools, pulumiTools, withFolders } from "../../packages/lab/src/pulumi.ts";
import { ensureTools } from "../../packages/lab/src/tools/index.ts";
import { previewDigest } from "../../scripts/lib/engine/digest.ts";
import { noCluster } from "../../scripts/lib/engine/engine.ts";
import {
  asEvents,
  outputsIn,
  plannedInEvents,
  stackOf,
  withoutSources,
  withPlugin,
} from "../../scripts/lib/engine/remote.ts";
import { exampleConfig, examples, needsPlatform, platformBeside } from "../support/pages/examples.ts";

const fileOf = (name: string) => `examples/${name}/yaml/Pulumi.yaml`;
const written = Object.keys(examples).filter((name) => existsSync(fileOf(name)));

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

/** Runs `use` with a stack of the program in a folder of its own. */
async function withYaml<T>(text: string, use: (stack: Stack) => Promise<T>): Promise<T> {
  const workDir = await mkdtemp(join(tmpdir(), "drawbridge-yaml-"));
  try {
    // The URNs are those of the TypeScript program.
    await writeFile(join(workDir, "Pulumi.yaml"), text.replace(/^name: .*$/m, "name: drawbridge-test"));
    const envVars = {
      ...tools.env,
      ...noCluster,
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
const compared = (object?: object) =>
  JSON.parse(JSON.stringify(withoutSources(object)).replace(/::default_[\d_]+::/, "::default::"));

describe("examples in Pulumi YAML", () => {
  it("are all but those with a component of their own and transforms, or a custom resource", () => {
    const others = Object.keys(examples).filter((name) => !written.includes(name));
    expect(others).toEqual(["existing-code", "sandbox"]);
  });

  it.each(written)("%s plans the same objects and outputs", async (name) => {
    const expected = await planOfProgram(name);
    const found = await withYaml(readFileSync(fileOf(name), "utf8"), (stack) => planOf(name, stack));
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
});

describe("a program in Pulumi YAML that does not fit the schema", () => {
  const minimal = () => readFileSync(fileOf("minimal"), "utf8");
  const refused = (text: string) =>
    withYaml(text, async (stack) => {
      await stack.setAllConfig(exampleConfig, true);
      const shown = await stack.preview().catch((error: Error) => error.message);
      return typeof shown === "string" ? shown : "accepted";
    });

  it.each([
    ["a component that there is not", "drawbridge:SshGateway\n", "drawbridge:SshGateways\n", "SshGateways"],
    ["an argument that there is not", "home: {", "homes: {", "homes"],
    ["a wrong type", "replicas: 1", "replicas: many", "replicas"],
    ["a value that is none of those allowed", "preset: generic", "preset: cloud", "preset"],
    ["a reference to nothing", 'seed: "${hostKeySeed}"', 'seed: "${hostKeySeeds}"', "hostKeySeeds"],
    ["an output that there is not", "${dev1.sshCommand}", "${dev1.sshCommands}", "sshCommands"],
  ])("%s is refused by its name", async (_, right, wrong, name) => {
    expect(minimal()).toContain(right);
    const message = await refused(minimal().replace(right, wrong));
    expect(message).toMatch(new RegExp(`error:.*${name}`, "is"));
  });
});

it("reports all components with faults in one run, and says what was not created", async () => {
  const container = (name: string, image: string) => `
  ${name}:
    type: drawbridge:DevContainer
    properties: { namespace: team-a, image: "${image}", ssh: { mode: none }, env: { DOMAIN: "\${gateway.ref.domain}" } }`;
  const text = `name: x
runtime: yaml
resources:
  gateway:
    type: drawbridge:SshGateway
    properties: { domain: dev.example.com, loadBalancer: { preset: generic } }${[
      container("one", "x:1"),
      container("two", "ubuntu"),
      container("three", "UPPER:1"),
      container("four", "ubuntu"),
    ].join("")}
`;
  const said = await withYaml(text, (stack) =>
    stack.preview().then(
      () => "",
      (error: Error) => error.message,
    ),
  );
  const faults = said.match(/problem: DevContainer "\w+": .*:$/gm) ?? [];
  const none = "1 fault in its arguments, nothing of it was created:";
  // Pulumi's lines of progress say them too.
  expect([...new Set(faults)].sort()).toEqual(
    ["four", "three", "two"].map((name) => `problem: DevContainer "${name}": ${none}`),
  );
});
