/** What the user has of Pulumi: the command line program and its Kubernetes provider. The rest is built like the lab's programs. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheDir } from "./cache.ts";
import type { Progress } from "./progress.ts";
import type { ToolName } from "./tools/catalogue.ts";
import { isAtLeast, sdkVersions } from "./tools/versions.ts";

/** Whether a `pulumi` that works is there and is the user's. */
export function hasOwnPulumi(env: NodeJS.ProcessEnv = process.env): boolean {
  if (programOnPath("pulumi", env) === undefined) return false;
  return spawnSync("pulumi", ["version"], { env, stdio: "ignore" }).status === 0;
}

/** The path of a program of the user's: a lab puts links to those that it has built on PATH, too. */
function programOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const found = spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8", env });
  if (found.status !== 0) return undefined;
  const program = realpathSync(found.stdout.trim());
  const built = existsSync(cacheDir(env)) && program.startsWith(`${realpathSync(cacheDir(env))}/`);
  return built ? undefined : program;
}

/** A provider that the user's Pulumi has. */
interface OwnProvider {
  /** Such as `4.34.2`. */
  readonly version: string;
  /** The folder that Pulumi has to be shown; absent where it finds the provider by itself. */
  readonly folder?: string;
}

const providerProgram = "pulumi-resource-kubernetes";

/**
 * The provider on PATH, which Pulumi takes before any other; else the plugin of the SDK's own version, else the newest
 * that fits; else what Pulumi downloads. Undefined where the user has no Pulumi, or it cannot download.
 */
export async function ownProvider(
  progress: Progress,
  env: NodeJS.ProcessEnv = process.env,
): Promise<OwnProvider | undefined> {
  if (!hasOwnPulumi(env)) return undefined;
  const { asked, oldest } = sdkVersions();
  const onPath = programOnPath(providerProgram, env);
  if (onPath !== undefined) {
    const version = await versionOf(onPath, env);
    if (fits(version, oldest)) return { version };
    throw new Error(
      `${onPath}, which Pulumi takes because it is on PATH, is version ${version}; drawbridge needs ${oldest} or a newer release of that major version. Put a newer one there, or take it off PATH.`,
    );
  }
  const plugins = join(env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");
  const installed = versionsIn(plugins).filter((version) => fits(version, oldest));
  if (installed.includes(asked)) return { version: asked };
  const newest = installed.sort((a, b) => (isAtLeast(a, b) ? -1 : 1))[0];
  if (newest !== undefined)
    return { version: newest, folder: join(plugins, `resource-kubernetes-v${newest}`) };
  return (await download(asked, progress, env)) ? { version: asked } : undefined;
}

/** What has to be built of Pulumi on this machine. */
export function missingOfPulumi(provider: OwnProvider | undefined): readonly ToolName[] {
  return [
    ...(hasOwnPulumi() ? [] : (["pulumi"] as const)),
    ...(provider === undefined ? ([providerProgram] as const) : []),
  ];
}

const fits = (version: string, oldest: string) =>
  version.split(".")[0] === oldest.split(".")[0] && isAtLeast(version, oldest);

function versionsIn(plugins: string): string[] {
  const names = existsSync(plugins) ? readdirSync(plugins) : [];
  return names.flatMap((name) => {
    const version = /^resource-kubernetes-v(\d+\.\d+\.\d+)$/.exec(name)?.[1];
    return version !== undefined && existsSync(join(plugins, name, providerProgram)) ? [version] : [];
  });
}

const run = promisify(execFile);

/** The schema, of some megabytes, is the one place where a provider says its version. */
async function versionOf(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await run("pulumi", ["package", "get-schema", program], { env, maxBuffer: 2 ** 28 });
  return (JSON.parse(stdout) as { version: string }).version;
}

/** Long enough for the download on an ordinary line. */
const downloadTimeoutMs = 60_000;
/** A machine without the download stays one for a while, so not every command has to find out. */
const retryAfterMs = 60 * 60_000;

async function download(version: string, progress: Progress, env: NodeJS.ProcessEnv): Promise<boolean> {
  const failed = join(cacheDir(env), `kubernetes-provider-${version}-failed`);
  const age = await stat(failed).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  if (age < retryAfterMs) return false;
  const command = ["plugin", "install", "resource", "kubernetes", version];
  try {
    await progress.step(`kubernetes provider ${version}: downloading`, () =>
      run("pulumi", command, { env, timeout: downloadTimeoutMs }),
    );
    return true;
  } catch (error) {
    await mkdir(cacheDir(env), { recursive: true });
    await writeFile(failed, String((error as { stderr?: string }).stderr ?? error));
    return false;
  }
}
