/** Decides which Kubernetes provider Pulumi uses: the official one wherever it can be had, else the stand-in. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cacheDir, cached } from "../cache.ts";
import type { Progress } from "../progress.ts";
import { KUBERNETES_PROVIDER_VERSION } from "./provider.ts";

/** The Kubernetes provider of this machine, and what makes Pulumi find it. */
export interface KubernetesPlugin {
  readonly kind: "official" | "stand-in";
  /** Of the official provider; of the stand-in: the official release that it follows. */
  readonly version: string;
  /** To be added to the environment of every Pulumi command. */
  readonly env: Record<string, string>;
}

/**
 * @param pulumi the Pulumi command line program: a path, or a name on PATH
 */
export async function kubernetesPlugin(progress: Progress, pulumi = "pulumi"): Promise<KubernetesPlugin> {
  const version = KUBERNETES_PROVIDER_VERSION;
  if ((await isInstalled(pulumi, version)) || (await install(progress, pulumi, version)))
    return { kind: "official", version, env: {} };
  const folders = [await standInFolder(), ...(isAbsolute(pulumi) ? [dirname(pulumi)] : [])];
  return {
    kind: "stand-in",
    version,
    env: {
      PATH: [...folders, process.env.PATH ?? ""].join(delimiter),
      // What cannot be had is not asked for again, five slow times, by each command.
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    },
  };
}

const run = promisify(execFile);
const QUIET = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };

async function isInstalled(pulumi: string, version: string): Promise<boolean> {
  const { stdout } = await run(pulumi, ["plugin", "ls", "--json"], { env: QUIET });
  const plugins = JSON.parse(stdout) as { name: string; kind: string; version?: string }[];
  return plugins.some(
    (plugin) => plugin.name === "kubernetes" && plugin.kind === "resource" && plugin.version === version,
  );
}

/** Long enough for the download on an ordinary line. */
const INSTALL_TIMEOUT_MS = 60_000;
/** A machine without the download stays one for a while, so not every command has to find out. */
const RETRY_AFTER_MS = 60 * 60_000;

async function install(progress: Progress, pulumi: string, version: string): Promise<boolean> {
  const failed = join(cacheDir(), `kubernetes-plugin-${version}-failed`);
  const age = await stat(failed).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  if (age < RETRY_AFTER_MS) return false;
  try {
    await progress.step(`kubernetes provider ${version}: downloading`, () =>
      run(pulumi, ["plugin", "install", "resource", "kubernetes", version], {
        env: QUIET,
        timeout: INSTALL_TIMEOUT_MS,
      }),
    );
    return true;
  } catch (error) {
    await mkdir(cacheDir(), { recursive: true });
    await writeFile(failed, String((error as { stderr?: string }).stderr ?? error));
    return false;
  }
}

/** A folder with the one program `pulumi-resource-kubernetes`, which starts the stand-in. */
async function standInFolder(): Promise<string> {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const script = [
    "#!/bin/sh",
    "# Options of the program that runs Pulumi, such as a test runner's, are not meant for its plugins.",
    "unset NODE_OPTIONS",
    `export NODE_COMPILE_CACHE=${quote(join(cacheDir(), "node-compile-cache"))}`,
    `exec ${quote(process.execPath)} --disable-warning=ExperimentalWarning ${quote(main)} "$@"`,
    "",
  ].join("\n");
  const hash = createHash("sha256").update(script).digest("hex").slice(0, 12);
  return cached({
    path: `stand-in-provider-${hash}`,
    fill: (folder) => writeFile(join(folder, "pulumi-resource-kubernetes"), script, { mode: 0o755 }),
  });
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
