/** The two stacks of the demo: the project's own program with copies of its YAML files. */
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { inlineStack, type PulumiTools } from "../../packages/lab/src/pulumi.ts";
import { program } from "../../stacks/program.ts";
import { demoFolder } from "./places.ts";

const workDir = join(demoFolder, "project");

/** Copies the project files, since Pulumi writes each stack's encryption salt and configuration into them. */
export async function prepareProject(): Promise<void> {
  await mkdir(join(workDir, "stacks"), { recursive: true });
  await cp("Pulumi.yaml", join(workDir, "Pulumi.yaml"));
  for (const file of ["Pulumi.platform.yaml", "Pulumi.team-a.yaml", "main.ts"]) {
    await cp(join("stacks", file), join(workDir, "stacks", file));
  }
}

export function openStack(tools: PulumiTools, name: "platform" | "team-a"): Promise<Stack> {
  return inlineStack(tools, {
    stack: name,
    project: "drawbridge",
    program: async () => program(),
    workDir,
    backend: join(demoFolder, "state"),
    passphrase: "demo",
  });
}

/** Sets one value of a stack file, named by its path: `team.containers.dev1.image`. */
export function setPath(stack: Stack, path: string, value: string): Promise<void> {
  return stack.setConfig(`drawbridge:${path}`, { value }, true);
}
