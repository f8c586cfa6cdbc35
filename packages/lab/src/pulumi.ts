/** Runs Pulumi programs inline: a CLI and a Kubernetes provider are all they need. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import {
  LocalWorkspace,
  PulumiCommand,
  type PulumiFn,
  type Stack,
  type UpdateSummary,
} from "@pulumi/pulumi/automation/index.js";
import { missingOfPulumi, ownProvider } from "./own-pulumi.ts";
import type { Progress } from "./progress.ts";
import { ensureTools, toolVersions } from "./tools/index.ts";

/** A Pulumi CLI and the environment in which it finds its Kubernetes provider. */
export interface PulumiTools {
  readonly command: PulumiCommand;
  readonly env: Record<string, string>;
  /** The provider's release, or the version of the module that it was built from. */
  readonly provider: string;
  /** For people: which CLI and which provider are used. */
  readonly summary: string;
}

let found: Promise<PulumiTools> | undefined;

/** The user's own Pulumi and provider where there are any, else those built from pinned sources; looked for once. */
export function pulumiTools(progress: Progress): Promise<PulumiTools> {
  found ??= findTools(progress).catch((error) => {
    found = undefined;
    throw error;
  });
  return found;
}

async function findTools(progress: Progress): Promise<PulumiTools> {
  const provider = await ownProvider(progress);
  const built = await ensureTools(missingOfPulumi(provider), progress);
  const folders = [
    ...Object.values(built).map(dirname),
    ...(provider?.folder === undefined ? [] : [provider.folder]),
  ];
  const command = await PulumiCommand.get("pulumi" in built ? { root: dirname(dirname(built.pulumi)) } : {});
  const version = provider?.version ?? toolVersions()["pulumi-resource-kubernetes"];
  const origin = (own: boolean) => (own ? "yours" : "built from its pinned source");
  return {
    command,
    env: {
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // CLI and provider live for seconds: garbage is hardly worth collecting.
      GOGC: process.env.GOGC ?? "400",
      PATH: withFolders(folders),
      // Without a provider, each command would try its download five times, slowly.
      ...(provider === undefined ? { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" } : {}),
    },
    provider: version,
    summary: `Pulumi CLI ${command.version?.version ?? "of unknown version"} (${origin(!("pulumi" in built))}); kubernetes provider ${version} (${origin(provider !== undefined)})`,
  };
}

/** A PATH that begins with these folders. */
export function withFolders(folders: readonly string[], path = process.env.PATH): string {
  return [...folders, path].join(delimiter);
}

/** Where a program's state is kept and how its secrets are encrypted. */
interface InlineStack {
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
  await mkdir(options.backend, { recursive: true });
  const inline = { stackName: options.stack, projectName: options.project, program: options.program };
  const isKnown = existsSync(
    join(options.backend, ".pulumi/stacks", options.project, `${options.stack}.json`),
  );
  const stack = await LocalWorkspace[isKnown ? "selectStack" : "createStack"](inline, {
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
  // Asked for after each `up`, for which the CLI would start once more.
  stack.info = () => lastUpdate(join(options.backend, ".pulumi/history", options.project, options.stack));
  return stack;
}

/** What a file backend has kept of a stack's last update. */
async function lastUpdate(folder: string): Promise<UpdateSummary | undefined> {
  const files = await readdir(folder).catch(() => []);
  const last = files
    .filter((file) => file.endsWith(".history.json"))
    .sort()
    .at(-1);
  return last === undefined ? undefined : JSON.parse(await readFile(join(folder, last), "utf8"));
}
