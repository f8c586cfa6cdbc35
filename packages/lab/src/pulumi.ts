/** Runs Pulumi programs inline: a Pulumi CLI and a Kubernetes provider are all they need. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import {
  type InlineProgramArgs,
  LocalWorkspace,
  PulumiCommand,
  type PulumiFn,
  type Stack,
} from "@pulumi/pulumi/automation/index.js";
import { hasOwnPulumi } from "./own-pulumi.ts";
import type { Progress } from "./progress.ts";
import { kubernetesPlugin } from "./provider/install.ts";
import { ensureTools } from "./tools/index.ts";

/** A Pulumi CLI and the environment in which it finds its Kubernetes provider. */
export interface PulumiTools {
  readonly command: PulumiCommand;
  readonly env: Record<string, string>;
  /** For people: which CLI and which provider are used. */
  readonly summary: string;
}

/** The user's own Pulumi where there is one, else one built from its pinned source. */
export async function pulumiTools(progress: Progress): Promise<PulumiTools> {
  const root = hasOwnPulumi()
    ? undefined
    : dirname(dirname((await ensureTools(["pulumi"], progress)).pulumi));
  const command = await PulumiCommand.get(root === undefined ? {} : { root });
  const plugin = await kubernetesPlugin(
    progress,
    root === undefined ? "pulumi" : join(root, "bin", "pulumi"),
  );
  return {
    command,
    env: {
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ...(root === undefined ? {} : { PATH: [join(root, "bin"), process.env.PATH].join(delimiter) }),
      ...plugin.env,
    },
    summary: `Pulumi CLI ${command.version?.version ?? "of unknown version"}${root === undefined ? " (yours)" : " (built from its pinned source)"}; kubernetes provider: ${plugin.kind} ${plugin.version}`,
  };
}

/** Where a program's state is kept and how its secrets are encrypted. */
export interface InlineStack {
  readonly stack: string;
  readonly project: string;
  readonly program: PulumiFn;
  /**
   * A project folder, whose Pulumi.yaml and stack files are used and may be written to.
   * @default - a temporary one without configuration
   */
  readonly workDir?: string;
  /** Folder of the file backend, made if missing. */
  readonly backend: string;
  /** The passphrase that encrypts the secrets in it. */
  readonly passphrase: string;
  readonly env?: Record<string, string>;
}

/** Selects or creates an inline program's stack on a file backend. */
export async function inlineStack(tools: PulumiTools, options: InlineStack): Promise<Stack> {
  if (!existsSync(options.backend)) await mkdir(options.backend, { recursive: true });
  const inline: InlineProgramArgs = {
    stackName: options.stack,
    projectName: options.project,
    program: options.program,
  };
  return LocalWorkspace.createOrSelectStack(inline, {
    pulumiCommand: tools.command,
    ...(options.workDir === undefined
      ? { projectSettings: { name: options.project, runtime: "nodejs" } }
      : { workDir: options.workDir }),
    envVars: {
      ...tools.env,
      PULUMI_BACKEND_URL: `file://${options.backend}`,
      PULUMI_CONFIG_PASSPHRASE: options.passphrase,
      ...options.env,
    },
  });
}
