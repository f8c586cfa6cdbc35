/**
 * Stacks as earlier code left them, in `test/recorded/<case>/`: the project file, the stack's file and its state.
 * `scripts/record-states.ts` makes them.
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PulumiFn, Stack } from "@pulumi/pulumi/automation/index.js";
import frpWithoutIstio from "../../../examples/frp-without-istio/index.ts";
import minimal from "../../../examples/minimal/index.ts";
import storage from "../../../examples/storage/index.ts";
import { program } from "../../../packages/drawbridge/src/stacks/program/index.ts";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { inlineStack, pulumiTools } from "../../../packages/lab/src/pulumi.ts";
import { unreachableKubeconfig } from "./engine.ts";

interface RecordedCase {
  readonly project: string;
  /** The program as it is today. `folder` is where the stack's file is. */
  readonly program: (folder: string) => PulumiFn;
}

const example = (name: string, run: () => unknown): RecordedCase => ({
  project: `drawbridge-${name}`,
  program: () => async () => run() as Record<string, unknown>,
});

const stack: RecordedCase = { project: "drawbridge", program: (folder) => () => program(folder) };

export const recordedCases = {
  platform: stack,
  "team-a": stack,
  minimal: example("minimal", minimal),
  storage: example("storage", storage),
  "frp-without-istio": example("frp-without-istio", frpWithoutIstio),
} as const satisfies Record<string, RecordedCase>;

export type RecordedName = keyof typeof recordedCases;

/** Encrypts the recorded states. */
export const recordedPassphrase = "only for tests";

/** A copy of a recorded stack that previews against its recorded state, with no cluster reachable. */
export async function recordedStack(name: RecordedName) {
  const folder = await mkdtemp(join(tmpdir(), `drawbridge-recorded-${name}-`));
  await cp(join("test/recorded", name), folder, { recursive: true });
  const { project, program } = recordedCases[name];
  const stack: Stack = await inlineStack(await pulumiTools(silentProgress), {
    stack: name,
    project,
    program: program(folder),
    workDir: folder,
    backend: join(folder, "backend"),
    passphrase: recordedPassphrase,
    env: { KUBECONFIG: join(folder, "kubeconfig"), PULUMI_K8S_KUBECONFIG: unreachableKubeconfig },
  });
  await stack.importStack(JSON.parse(await readFile(join(folder, "state.json"), "utf8")));
  return { stack, folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
