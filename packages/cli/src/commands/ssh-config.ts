/** `drawbridge ssh-config`: writes a config of its own and includes it in the user's, or takes both away. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { knownHostsText, sshConfigText, sshpodConfigText } from "@drawbridge-iac/manifests";
import { CliError, ExitCode } from "../cli-error.ts";
import { selfCommand, thisOs } from "../self.ts";
import { type SshFiles, sshFiles } from "../ssh-files.ts";
import { identityFiles } from "../sshpod/identity.ts";
import { stateFolder } from "../state-folder.ts";
import { findStorages, findTargets, type NamedTarget, nameTargets, type Saved } from "../targets.ts";
import { ownHosts, withInclude, withoutInclude } from "../user-config.ts";

export interface SshConfigFlags {
  readonly stack?: string;
  readonly cwd?: string;
  readonly from?: string;
  readonly prefix?: string;
  readonly identity?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly forwardAgent?: boolean;
  readonly multiplex?: string;
  readonly remove?: boolean;
}

export async function sshConfig(flags: SshConfigFlags): Promise<string> {
  const files = sshFiles();
  if (flags.remove) return remove(files);
  const outputs = await readOutputs(flags);
  const targets = nameTargets(findTargets(outputs), flags.prefix);
  const storages = findStorages(outputs);
  if (targets.length === 0) {
    throw new CliError(
      "the outputs name no container; export the sshTarget of each DevContainer from your program and run pulumi up",
    );
  }
  await checkOpenSsh();
  const text = refusing(() => configText(files, targets, flags));
  const known = refusing(() => knownHostsText(targets.map(({ target }) => target)));
  const before = await readOptional(files.userConfig);
  const taken = ownHosts(
    before,
    targets.map(({ alias }) => alias),
  );
  for (const [alias, line] of taken) {
    throw new CliError(
      `Host ${alias} is in ${files.userConfig} already (line ${line}, as counted without our block), and would be overruled; rename it there, or give ours another name with --prefix`,
    );
  }
  await explained(files, async () => {
    await mkdir(files.folder, { recursive: true, mode: 0o700 });
    await replace(files.config, text);
    await replace(files.knownHosts, known);
    const { ca, cert, key } = flags;
    const saved: Saved = { targets, storages, tls: { ca, cert, key } };
    await replace(files.targets, `${JSON.stringify(saved, null, 2)}\n`);
    await include(files, before);
  });
  return `${targets.map(({ alias }) => `ssh ${alias}`).join("\n")}\n`;
}

/** What cannot be written into an ssh_config comes from an option or the outputs, and is told in its own sentence. */
function refusing(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError((error as Error).message, ExitCode.usage);
  }
}

function configText(files: SshFiles, targets: readonly NamedTarget[], flags: SshConfigFlags): string {
  const os = thisOs();
  const { ca, cert: clientCertificate, key: clientKey } = flags;
  const proxy = {
    command: selfCommand(),
    ...(ca === undefined ? {} : { ca }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
  const blocks = targets.map(({ alias, target }) =>
    sshConfigText(target, {
      alias,
      os,
      proxy,
      knownHostsFile: files.knownHosts,
      ...(flags.identity === undefined ? {} : { identityFile: flags.identity }),
      forwardAgent: flags.forwardAgent ?? false,
      multiplexSeconds: seconds(flags.multiplex),
    }),
  );
  const sshpod = sshpodConfigText(identityFiles(stateFolder()).folder.replaceAll("\\", "/"), os, proxy);
  return [
    "# Written by `drawbridge ssh-config`; changes are lost at its next run.\n",
    ...blocks,
    sshpod,
  ].join("\n");
}

function seconds(text = "0"): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 86_400) return value;
  throw new CliError(
    `--multiplex ${JSON.stringify(text)} is not a number of seconds from 0 to 86400`,
    ExitCode.usage,
  );
}

async function include(files: SshFiles, before: Buffer | undefined): Promise<void> {
  const after = withInclude(before, files.config);
  if (before?.equals(after)) return;
  if (before !== undefined && !before.includes("# >>> drawbridge"))
    await copyFile(files.userConfig, files.backup);
  await replace(files.userConfig, after);
}

async function remove(files: SshFiles): Promise<string> {
  const before = await readOptional(files.userConfig);
  await explained(files, async () => {
    if (before !== undefined) {
      const after = withoutInclude(before);
      if (after === undefined) await rm(files.userConfig);
      else if (!after.equals(before)) await replace(files.userConfig, after);
    }
    await rm(files.folder, { recursive: true, force: true });
  });
  return `${files.userConfig} is as it was before; ${files.folder} is removed\n`;
}

/** Writes a file at once; a link to a file of somebody's dotfiles stays a link, and modes stay as they are. */
async function replace(file: string, content: Buffer | string): Promise<void> {
  const real = await realpath(file).catch(() => file);
  const mode = await stat(real).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  if ((await readOptional(real))?.equals(Buffer.from(content))) return;
  const fresh = `${real}.drawbridge-new`;
  await writeFile(fresh, content, { mode });
  await rename(fresh, real);
}

function readOptional(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new CliError(`${file} cannot be read: ${error.message}; mend its permissions`);
  });
}

async function explained(files: SshFiles, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new CliError(
      `${files.sshFolder} cannot be written: ${(error as Error).message}; make it writable, or write the blocks yourself from the stack's output sshConfig`,
    );
  }
}

async function readOutputs({ stack, cwd, from }: SshConfigFlags): Promise<unknown> {
  const text = from === undefined ? await stackOutputs(stack, cwd) : await readSource(from);
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(
      `${from ?? "what pulumi says"} is not JSON; make it with: pulumi stack output --json > outputs.json`,
    );
  }
}

async function readSource(from: string): Promise<string> {
  if (from !== "-") {
    return readFile(from, "utf8").catch((error: Error) => {
      throw new CliError(`the file of --from cannot be read: ${error.message}`);
    });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function stackOutputs(stack: string | undefined, cwd: string | undefined): Promise<string> {
  const args = ["stack", "output", "--json", ...(stack === undefined ? [] : ["--stack", stack])];
  const options = { ...(cwd === undefined ? {} : { cwd }), maxBuffer: 64 * 1024 * 1024 };
  return promisify(execFile)("pulumi", args, options).then(
    ({ stdout }) => stdout,
    (error: NodeJS.ErrnoException & { stderr?: string }) => {
      if (error.code === "ENOENT") {
        throw new CliError(
          "pulumi is not installed here; give its outputs in a file with --from outputs.json",
        );
      }
      throw new CliError(`pulumi stack output failed: ${error.stderr?.trim() || error.message}`);
    },
  );
}

/** `Include` exists since OpenSSH 7.3. */
async function checkOpenSsh(): Promise<void> {
  const { stderr } = await promisify(execFile)("ssh", ["-V"]).catch(() => {
    throw new CliError(
      "ssh is not installed here; install OpenSSH's client (on Windows: the optional feature OpenSSH Client)",
    );
  });
  const fault = tooOld(stderr);
  if (fault !== undefined) throw new CliError(fault);
}

/** Why an OpenSSH that calls itself so cannot be used; undefined when it can, or is another program. */
export function tooOld(version: string): string | undefined {
  const [, major, minor] = /OpenSSH_(?:for_Windows_)?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 3))
    return undefined;
  return `OpenSSH ${major}.${minor} does not know Include in its config; install 7.3 or newer`;
}
