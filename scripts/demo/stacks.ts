/** The two stacks of the demo: the project's own program with copies of its YAML files. */
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { program } from "../../packages/drawbridge/src/stacks/program/index.ts";
import { inlineStack, type PulumiTools } from "../../packages/lab/src/pulumi.ts";
import { projectVersion } from "../lib/versions.ts";
import { demoFolder } from "./steps.ts";

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
    program: () => program(workDir),
    workDir,
    backend: join(demoFolder, "state"),
    passphrase: "demo",
  });
}

/**
 * The values that differ from the shipped files: images and sizes. In a lab the images are its own; elsewhere
 * they come from the registry in DRAWBRIDGE_IMAGES, and Envoy and busybox from where everybody has them.
 */
export function valuesFor(values: Readonly<Record<string, string>>): Record<string, string> {
  const registry = process.env.DRAWBRIDGE_IMAGES;
  if (registry === undefined) return { ...values };
  const elsewhere: Record<string, string | undefined> = {
    busybox: "docker.io/library/busybox:1.37",
    proxyv2: undefined,
    frps: undefined,
    frpc: undefined,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([path, value]) => {
      const image = /^drawbridge\.local\/([\w-]+):lab$/.exec(value)?.[1];
      if (image === undefined) return [[path, value]];
      const ref = image in elsewhere ? elsewhere[image] : `${registry}/${image}:${projectVersion()}`;
      return ref === undefined ? [] : [[path, ref]];
    }),
  );
}
