/** The files that `drawbridge ssh-config` writes: their texts, and the line in the user's own config. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { userInfo } from "node:os";
import { promisify } from "node:util";
import { knownHostsText } from "@drawbridge-iac/drawbridge/src/host/client-texts/known-hosts";
import {
  aliasesOf,
  sshConfigText,
  sshpodConfigText,
} from "@drawbridge-iac/drawbridge/src/host/client-texts/ssh-config";
import { compact } from "@drawbridge-iac/drawbridge/src/kubernetes/manifest";
import { controlPath } from "./control-path.ts";
import { CliError, ExitCode } from "./faults.ts";
import { readOptional, replace, type SshFiles, stateFolder } from "./files.ts";
import { type KnownTarget, knownTargets, portsOf, type Source, type TargetsFile } from "./known-stacks.ts";
import { hostAndPort } from "./listen/loopback-ports.ts";
import { type OwnConfig, readOwnConfig } from "./own-config.ts";
import { starterOf, thisOs, writeStarter } from "./self.ts";
import { identityFiles } from "./sshpod/identity.ts";
import { includeLine, withBlock, withoutBlock } from "./user-config.ts";
import { otherHost } from "./user-known-hosts.ts";

/**
 * Writes the files for all sources; says how each container is reached, and what was written.
 * @param faults of sources that could not be read; they are told after the rest is written
 */
export async function writeConfig(
  files: SshFiles,
  before: TargetsFile,
  sources: readonly Source[],
  fresh: readonly Source[],
  faults: readonly string[] = [],
): Promise<string> {
  const known = knownTargets(sources, before.names);
  await checkOpenSsh();
  const own = readOwnConfig(files, new Map(known.map((each) => [each.alias, namesOf(each)])));
  const undone = own.undone.filter(({ unlessOurs }) => !unlessOurs);
  const isUndone = ({ alias }: KnownTarget) => undone.some(({ host }) => host === alias);
  const written = known.filter((each) => !isUndone(each));
  const text = refusing(() => configText(files, written));
  const pods = refusing(() => podsText(files));
  const hosts = refusing(() => knownHostsText(known.map(({ target }) => target)));
  const taken = otherHost(
    (await readOptional(files.userKnownHosts))?.toString() ?? "",
    newNames(known, before),
  );
  if (taken !== undefined) {
    throw new CliError(
      `${taken.alias} is another host in ${files.userKnownHosts} (line ${taken.line}), which ssh ${taken.alias} would no longer reach; set another name for ours with --prefix, or forget that host: ssh-keygen -R ${taken.alias}`,
    );
  }
  await explained(files, async () => {
    await mkdir(files.folder, { recursive: true, mode: 0o700 });
    await writeStarter(files);
    await replace(files.pods, pods);
    await replace(files.config, text);
    await replace(files.knownHosts, hosts);
    const names = Object.fromEntries(known.map(({ alias, target }) => [hostAndPort(target), alias]));
    const content: TargetsFile = { sources, names, loopback: portsOf(sources, before.loopback) };
    await replace(files.targets, `${JSON.stringify(content, null, 2)}\n`);
  });
  await include(files, own);
  const news = written.filter(({ source }) => fresh.some(({ label }) => label === source));
  const others = written.length - news.length;
  const places = new Set(fresh.flatMap(({ targets }) => targets.map(hostAndPort)));
  const copies = written.filter((each) => !news.includes(each) && places.has(hostAndPort(each.target)));
  const report = [
    ...news.map(({ alias }) => `ssh ${alias}`),
    ...copies.map(({ alias, source }) => `ssh ${alias} stays as it was read from ${source}`),
    ...(fresh.length === 0 ? ["ssh USER@pod--NAME.namespace--NAMESPACE.sshpod"] : []),
    `wrote ${files.config}, which ${files.userConfig} includes${others > 0 ? `; ${others} of other stacks stay in it` : ""}`,
    "",
  ].join("\n");
  const told = [...faults, ...known.filter(isUndone).map((each) => refusal(each, undone))];
  if (told.length === 0) return report;
  throw new CliError([...told, report].join("\n").trimEnd());
}

/** By which the user's own blocks may mean a host of ours. */
const namesOf = ({ alias, target }: KnownTarget) => [...aliasesOf(alias, target.ways), target.hostName];

function refusal({ alias }: KnownTarget, undone: OwnConfig["undone"]): string {
  const by = undone.filter(({ host }) => host === alias).map((each) => each.by);
  return `${alias} is left out: ${by.join(", ")} would lead elsewhere or undo its pinned key; take that out there, or set another name for ours with --prefix`;
}

/** What can be typed from now on and could not before. */
function newNames(known: readonly KnownTarget[], { names }: TargetsFile) {
  return known
    .filter(({ alias, target }) => names[hostAndPort(target)] !== alias)
    .map(({ alias, target: { hostKeys } }) => ({ alias, hostKeys }));
}

/** Runs `write`. What cannot go into an ssh_config came from an option or the outputs, so it is an error of usage. */
export function refusing(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError((error as Error).message, ExitCode.usage);
  }
}

function configText(files: SshFiles, known: readonly KnownTarget[]): string {
  const os = thisOs();
  const command = starterOf(files);
  const blocks = known.map(({ alias, target, options }) => {
    const { ca, cert, key, identity, forwardAgent = false, multiplex } = options;
    const multiplexSeconds = seconds(multiplex);
    return sshConfigText(target, {
      alias,
      os,
      proxy: compact({ command, ca, clientCertificate: cert, clientKey: key }),
      knownHostsFile: files.knownHosts,
      ...compact({ identityFile: identity }),
      forwardAgent,
      multiplexSeconds,
      ...(os === "windows" || multiplexSeconds === 0
        ? {}
        : { controlPath: controlPath(userInfo().homedir, os, target) }),
    });
  });
  // After all others, whose names could be a pod's.
  return [heading, ...blocks, `Host *\n  Include "${files.pods}"\n`].join("\n");
}

const heading = "# Written by `drawbridge ssh-config`; changes are lost at its next run.\n";

/**
 * In a file of its own: many programs in Go refuse a whole config in which a `Match` stands. They take the quotes in the
 * Include for part of the file's name, and find no file.
 */
function podsText(files: SshFiles): string {
  const folder = identityFiles(stateFolder()).folder.replaceAll("\\", "/");
  return [heading, sshpodConfigText(folder, thisOs(), { command: starterOf(files) })].join("\n");
}

function seconds(text = "0"): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 86_400) return value;
  throw new CliError(
    `--multiplex ${JSON.stringify(text)} is not a number of seconds from 0 to 86400`,
    ExitCode.usage,
  );
}

async function include(files: SshFiles, { includesOurs, undone }: OwnConfig): Promise<void> {
  const before = await readOptional(files.userConfig);
  const line = includeLine(files.config);
  const after = withBlock(before, line);
  if (before?.equals(after)) return;
  if (before !== undefined && !before.includes("# >>> drawbridge"))
    await copyFile(files.userConfig, files.backup);
  await replace(files.userConfig, after).catch((error: Error) => {
    // Some people's config is made by another program, and they have the line in there.
    const [before] = undone.filter(({ unlessOurs }) => unlessOurs);
    if (includesOurs && before === undefined) return;
    if (before !== undefined) {
      throw new CliError(
        `${files.userConfig} cannot be written: ${error.message}; ${before.by} stands before the Include of ${files.config} and would undo ${before.host}: put this at the top: ${line.trim()}`,
      );
    }
    throw new CliError(
      `${files.userConfig} cannot be written: ${error.message}; put this at its top yourself, and the rest is done: ${line.trim()}`,
    );
  });
}

export async function removeConfig(files: SshFiles): Promise<string> {
  await explained(files, async () => {
    for (const file of [files.userConfig, files.userKnownHosts]) await withdraw(file);
    await rm(files.folder, { recursive: true, force: true });
  });
  return `${files.userConfig} is as it was before; ${files.folder} is removed\n`;
}

async function withdraw(file: string): Promise<void> {
  const before = await readOptional(file);
  if (before === undefined) return;
  const after = withoutBlock(before);
  if (after === undefined) await rm(file);
  else await replace(file, after);
}

/** What happens in the user's folder of ssh. */
export async function explained<T>(files: SshFiles, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new CliError(
      `${files.sshFolder} cannot be written: ${(error as Error).message}; make it writable, or write the blocks yourself from the stack's output sshConfig`,
    );
  }
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

/** Why the OpenSSH of this version is too old; undefined if it is not, or if it is no OpenSSH. */
export function tooOld(version: string): string | undefined {
  const [, major, minor] = /OpenSSH_(?:for_Windows_)?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 3))
    return undefined;
  return `OpenSSH ${major}.${minor} does not know Include in its config; install 7.3 or newer`;
}
