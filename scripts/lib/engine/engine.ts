/** Components under the real Pulumi engine: inline programs, a file backend in a temporary folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutputMap, PulumiFn, Stack } from "@pulumi/pulumi/automation/index.js";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { inlineStack, pulumiTools } from "../../../packages/lab/src/pulumi.ts";
import { isAtLeast } from "../../../packages/lab/src/tools/versions.ts";

const tools = () => pulumiTools(silentProgress);

/**
 * Whether the Kubernetes provider takes over an existing object when it creates one of the same name. Releases before
 * 4.29, such as the lab's own, do, unless another manager owns a field with another value; later ones fail.
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

/** A stack's outputs by name, as `pulumi stack output --json` has them. */
export const valuesOf = (outputs: OutputMap): Record<string, unknown> =>
  Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));

/** A kubeconfig of an unreachable cluster, for previews that must not need one. */
export const unreachableKubeconfig = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "none", cluster: { server: "https://127.0.0.1:1" } }],
  users: [{ name: "none", user: { token: "none" } }],
  contexts: [{ name: "none", context: { cluster: "none", user: "none" } }],
  "current-context": "none",
});

/** The environment of a program that must not need a cluster, even where this machine has one. */
export const noCluster = { PULUMI_K8S_KUBECONFIG: unreachableKubeconfig, KUBECONFIG: "/nonexistent" };

/** The resources in a stack's state, each as its type and logical name, sorted. */
export async function stateResources(stack: Stack): Promise<string[]> {
  const { deployment } = await stack.exportStack();
  const resources = (deployment as { resources?: { type: string; urn: string }[] }).resources ?? [];
  return resources.map(({ type, urn }) => `${type} ${urn.split("::").at(-1)}`).sort();
}
