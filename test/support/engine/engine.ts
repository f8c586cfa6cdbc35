/** Components under the real Pulumi engine: inline programs, a file backend in a temporary folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutputMap, PulumiFn, Stack } from "@pulumi/pulumi/automation/index.js";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { inlineStack, type PulumiTools, pulumiTools } from "../../../packages/lab/src/pulumi.ts";
import { isAtLeast } from "../../../packages/lab/src/tools/versions.ts";

let running: Promise<PulumiTools> | undefined;
const tools = () => (running ??= pulumiTools(silentProgress));

/**
 * What the provider that runs makes of a create where an object of that name is: releases before 4.29, as the lab's own,
 * take it over unless somebody else set one of its fields otherwise; later ones answer "already exists".
 */
export const takesOver = async () => !isAtLeast((await tools()).provider, "4.29");

/** What a test stack needs; everything is optional. */
export interface TestStack {
  /** @default "test" */
  readonly stack?: string;
  /** @default "drawbridge-test" */
  readonly project?: string;
  /** Shares the state of another test's stack instead of a fresh temporary folder. */
  readonly backend?: string;
  readonly env?: Record<string, string>;
}

/** A stack for a test, with a way to remove its state again. `setProgram` swaps in a changed program. */
export async function testStack(program: PulumiFn, options: TestStack = {}) {
  const backend = options.backend ?? (await mkdtemp(join(tmpdir(), "drawbridge-state-")));
  const holder = { program };
  const stack: Stack = await inlineStack(await tools(), {
    stack: options.stack ?? "test",
    project: options.project ?? "drawbridge-test",
    program: () => holder.program(),
    backend,
    passphrase: "only for tests",
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  return {
    stack,
    backend,
    setProgram(next: PulumiFn) {
      holder.program = next;
    },
    removeState: () => rm(backend, { recursive: true, force: true }),
  };
}

/** What a stack gives out, by name, as `pulumi stack output --json` has it. */
export const valuesOf = (outputs: OutputMap): Record<string, unknown> =>
  Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));

/** A kubeconfig whose cluster nobody can reach, for previews that must not need one. */
export const unreachableKubeconfig = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "none", cluster: { server: "https://127.0.0.1:1" } }],
  users: [{ name: "none", user: { token: "none" } }],
  contexts: [{ name: "none", context: { cluster: "none", user: "none" } }],
  "current-context": "none",
});

/** What a program runs in that must not need a cluster, whatever this machine has. */
export const noCluster = { PULUMI_K8S_KUBECONFIG: unreachableKubeconfig, KUBECONFIG: "/nonexistent" };

/** What a resource in a state or preview is, by type and logical name: `k8s type  name`, sorted. */
export async function stateResources(stack: Stack): Promise<string[]> {
  const { deployment } = await stack.exportStack();
  const resources = (deployment as { resources?: { type: string; urn: string }[] }).resources ?? [];
  return resources.map(({ type, urn }) => `${type} ${urn.split("::").at(-1)}`).sort();
}
