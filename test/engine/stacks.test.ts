/** The stacks that ship, under the real engine, with no cluster reachable. */
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentProgress } from "../../packages/lab/src/progress.ts";
import { inlineStack, pulumiTools } from "../../packages/lab/src/pulumi.ts";
import { program } from "../../stacks/program.ts";
import { unreachableKubeconfig } from "../support/engine.ts";

const seed = "engine-test-seed-0123456789abcdef0123456789";
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-stacks-"));
  await mkdir(join(folder, "stacks"));
  await cp("Pulumi.yaml", join(folder, "Pulumi.yaml"));
  for (const file of ["Pulumi.platform.yaml", "Pulumi.team-a.yaml", "main.ts"]) {
    await cp(join("stacks", file), join(folder, "stacks", file));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function open(name: string): Promise<Stack> {
  return inlineStack(await pulumiTools(silentProgress), {
    stack: name,
    project: "drawbridge",
    program: async () => program(),
    workDir: folder,
    backend: join(folder, "state"),
    passphrase: "only for tests",
    env: { KUBECONFIG: join(folder, "kubeconfig"), PULUMI_K8S_KUBECONFIG: unreachableKubeconfig },
  });
}

describe("the stacks' previews need no cluster", () => {
  it("platform", async () => {
    const stack = await open("platform");
    const preview = await stack.preview();
    expect(preview.changeSummary).toEqual({ create: expect.any(Number) });
  });

  it("team-a, with no secret in its output", async () => {
    const stack = await open("team-a");
    await stack.setConfig("drawbridge:hostKeySeed", { value: seed, secret: true });
    const output: string[] = [];
    const preview = await stack.preview({ onOutput: (text) => output.push(text), diff: true });
    expect(preview.changeSummary).toEqual({ create: expect.any(Number) });
    expect(output.join("")).not.toContain(seed);
    expect(output.join("")).not.toMatch(/BEGIN OPENSSH/);
    expect(await readFile(join(folder, "stacks", "Pulumi.team-a.yaml"), "utf8")).not.toContain(seed);
  });
});
