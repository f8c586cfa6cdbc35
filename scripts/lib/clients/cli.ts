/** The `drawbridge` command as it is published: bundled, with the sshd archive beside it. */
import { access, chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packBundle } from "../../../packages/cli/src/sshpod/pack-bundle.ts";
import { cacheDir, ensureImages, silentProgress } from "../../../packages/lab/src/index.ts";
import { must, type Outcome, run } from "../lab/lab.ts";

/** A laptop's installation of the command, with a home of its own. */
export interface InstalledCli {
  /** Folder with `drawbridge`, to be put on PATH. */
  readonly bin: string;
  readonly home: string;
  readonly env: Record<string, string>;
  run(
    args: readonly string[],
    options?: { env?: Record<string, string>; input?: string; timeoutSeconds?: number },
  ): Promise<Outcome>;
  remove(): Promise<void>;
}

/** Builds the command into a temporary folder. */
export async function installCli(): Promise<InstalledCli> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-cli-"));
  const [bin, home, dist] = ["bin", "home", "dist"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(bin);
  await mkdir(home);
  const config = fileURLToPath(new URL("../../../packages/cli/rolldown.config.ts", import.meta.url));
  await must("rolldown", ["-c", config, "--silent"], { env: { DRAWBRIDGE_CLI_DIST: dist } });
  const program = join(bin, "drawbridge");
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${join(dist, "main.cjs")}" "$@"\n`);
  await chmod(program, 0o755);
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    DRAWBRIDGE_HOME: join(home, "state"),
    // The bundled program needs none of the options that run the sources.
    NODE_OPTIONS: "",
  };
  return {
    bin,
    home,
    env,
    run: (args, options = {}) => run(program, args, { ...options, env: { ...env, ...options.env } }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The folder with the sshd archive of this machine's architecture, made from the image once. */
export async function sshdBundleFolder(): Promise<string> {
  const { "sshd-bundle": image } = await ensureImages(["sshd-bundle"], silentProgress);
  const folder = join(cacheDir(), "sshpod", basename(dirname(image.tar)));
  const packed = await access(join(folder, "hashes.json")).then(
    () => true,
    () => false,
  );
  if (!packed) await packBundle(image.tar, process.arch === "arm64" ? "arm64" : "amd64", folder);
  return folder;
}
