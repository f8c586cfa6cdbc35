/** `drawbridge ssh-config`: writes a config of its own and includes it in the user's, or takes both away. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import {
  checkedPath,
  compact,
  knownHostsText,
  type SshTarget,
  sshConfigText,
  sshpodConfigText,
} from "@drawbridge-iac/manifests";
import { CliError, ExitCode, isExpected } from "../faults.ts";
import { readOptional, replace, type SshFiles, sshFiles, stateFolder, withHome } from "../files.ts";
import {
  forgetting,
  type KnownTarget,
  knownTargets,
  portsOf,
  readTargetsFile,
  type Source,
  type TargetsFile,
  type WriteOptions,
  withSource,
} from "../known-stacks.ts";
import { hostAndPort } from "../listen/loopback-ports.ts";
import { type Origin, readOutputs } from "../outputs.ts";
import { starterOf, thisOs, writeStarter } from "../self.ts";
import { identityFiles } from "../sshpod/identity.ts";
import { findStorages, findTargets } from "../targets.ts";
import { includeLine, type OwnConfig, readOwnConfig, withBlock, withoutBlock } from "../user-config.ts";

export interface SshConfigFlags extends WriteOptions, Origin {
  readonly sshpod?: boolean;
  readonly remove?: boolean;
}

export async function sshConfig(flags: SshConfigFlags): Promise<string> {
  const files = sshFiles();
  const { stack, cwd, from } = flags;
  const everything = stack === undefined && cwd === undefined && from === undefined;
  if (flags.remove && everything) return remove(files);
  const known = await readTargetsFile(files);
  const { sources } = known;
  if (flags.remove) return write(files, known, without(sources, labelOf(flags)), []);
  if (flags.sshpod) return write(files, known, sources, []);
  if (everything && sources.length > 0) return refresh(files, known, flags);
  const fresh = await readOrigin({ stack, cwd, from }, sources, flags);
  return write(files, known, withSource(sources, fresh), [fresh]);
}

/**
 * Reads everything again from where it came; what came by standard input stays as it is. So does a source with a fault,
 * which is told after the others are written: their new keys must arrive.
 */
async function refresh(files: SshFiles, known: TargetsFile, flags: SshConfigFlags): Promise<string> {
  // A wrong option is the fault of no source.
  withPaths(optionsIn(flags));
  const read: Source[] = [];
  const again = new Set<Source>();
  const faults = new Map<string, string>();
  const attempt = async <T>(label: string, work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      const done = await work();
      faults.delete(label);
      return done;
    } catch (error) {
      if (!isExpected(error)) throw error;
      faults.set(label, error.message);
      return undefined;
    }
  };
  for (const { origin, label } of known.sources) {
    const fresh = origin && (await attempt(label, () => readOrigin(origin, known.sources, flags)));
    if (fresh !== undefined) read.push(fresh);
  }
  let { sources } = known;
  // A container may have moved from one to another, and which of them comes first must not matter.
  for (const fresh of [...read, ...read]) {
    const after = await attempt(fresh.label, () => {
      const all = withSource(sources, fresh);
      knownTargets(all, known.names);
      return all;
    });
    if (after === undefined) continue;
    sources = after;
    again.add(fresh);
  }
  if (again.size === 0 && faults.size === 0) {
    throw new CliError(
      `${known.sources.map(({ label }) => label).join("; ")} cannot be read again by itself; say where with --stack or --from`,
      ExitCode.usage,
    );
  }
  const text = again.size === 0 ? "" : await write(files, known, sources, [...again]);
  if (faults.size === 0) return text;
  const told = known.sources.flatMap((source) => {
    const fault = faults.get(source.label);
    if (fault === undefined) return [];
    return [`${source.label} was not read again: ${fault}`, `if it is gone: ${forgetting(source)}`];
  });
  throw new CliError([...told, text].join("\n").trimEnd());
}

async function readOrigin(origin: Origin, before: readonly Source[], flags: WriteOptions): Promise<Source> {
  const outputs = await readOutputs(origin);
  const targets = findTargets(outputs);
  if (targets.length === 0) {
    throw new CliError(
      "the outputs name no container; export the sshTarget of each DevContainer from your program and run pulumi up. For pods of any kind, over the Kubernetes API alone: drawbridge ssh-config --sshpod",
    );
  }
  const label = labelOf(origin, targets);
  // What was said before holds until something else is said.
  const said = before.find((source) => source.label === label)?.options;
  const options = withPaths({ ...said, ...optionsIn(flags) });
  const absolute = { ...origin, cwd: resolve(origin.cwd ?? "."), from: origin.from && placeOf(origin.from) };
  return {
    label,
    options,
    targets,
    storages: findStorages(outputs),
    ...(origin.from === "-" ? {} : { origin: absolute }),
  };
}

function optionsIn(flags: WriteOptions): WriteOptions {
  const { prefix, identity, ca, cert, key, forwardAgent, multiplex } = flags;
  return compact({ prefix, identity, ca, cert, key, forwardAgent, multiplex });
}

/** With whole paths, since ssh runs in any folder. Files are looked for now: ssh would not miss them before a login fails. */
function withPaths(options: WriteOptions): WriteOptions {
  const found: Record<string, string> = {};
  for (const option of ["identity", "ca", "cert", "key"] as const) {
    const given = options[option];
    if (given === undefined) continue;
    const file = resolve(withHome(refusing(() => checkedPath(given))));
    if (!existsSync(file))
      throw new CliError(`there is no file ${file}, which --${option} names; check its path`, ExitCode.usage);
    found[option] = file;
  }
  return { ...options, ...found };
}

/** A name for where the outputs came from; outputs from standard input are named by their namespaces. */
function labelOf({ stack, cwd, from }: Origin, targets: readonly SshTarget[] = []): string {
  if (from === "-") return [...new Set(targets.map(({ namespace }) => namespace))].sort().join(", ");
  if (from !== undefined) return placeOf(from);
  return `stack ${stack ?? "(selected)"} of ${resolve(cwd ?? ".")}`;
}

const placeOf = (from: string) => (/^https:/.test(from) ? from : resolve(from));

function without(sources: readonly Source[], label: string): Source[] {
  const rest = sources.filter((source) => source.label !== label);
  if (rest.length < sources.length) return rest;
  const known = sources.map((source) => source.label).join("; ") || "nothing";
  throw new CliError(`nothing was read from ${label}; known: ${known}`, ExitCode.usage);
}

/** Writes the files for all sources; says how each container is reached, and what was written. */
async function write(
  files: SshFiles,
  before: TargetsFile,
  sources: readonly Source[],
  fresh: readonly Source[],
): Promise<string> {
  const known = knownTargets(sources, before.names);
  await checkOpenSsh();
  const text = refusing(() => configText(files, known));
  const pods = refusing(() => podsText(files));
  const hosts = refusing(() => knownHostsText(known.map(({ target }) => target)));
  const own = readOwnConfig(
    files,
    known.map(({ alias }) => alias),
  );
  for (const [alias, place] of own.hosts) {
    throw new CliError(
      `Host ${alias} is in ${place} already, and would be overruled; rename it there, or give ours another name with --prefix`,
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
  const news = known.filter(({ source }) => fresh.some(({ label }) => label === source));
  const others = known.length - news.length;
  const places = new Set(fresh.flatMap(({ targets }) => targets.map(hostAndPort)));
  const copies = known.filter((each) => !news.includes(each) && places.has(hostAndPort(each.target)));
  return [
    ...news.map(({ alias }) => `ssh ${alias}`),
    ...copies.map(({ alias, source }) => `ssh ${alias} stays as it was read from ${source}`),
    ...(fresh.length === 0 ? ["ssh USER@pod--NAME.namespace--NAMESPACE.sshpod"] : []),
    `wrote ${files.config}, which ${files.userConfig} includes${others > 0 ? `; ${others} of other stacks stay in it` : ""}`,
    "",
  ].join("\n");
}

/** Runs `write`. What cannot go into an ssh_config came from an option or the outputs, so it is an error of usage. */
function refusing(write: () => string): string {
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
    return sshConfigText(target, {
      alias,
      os,
      proxy: compact({ command, ca, clientCertificate: cert, clientKey: key }),
      knownHostsFile: files.knownHosts,
      ...compact({ identityFile: identity }),
      forwardAgent,
      multiplexSeconds: seconds(multiplex),
    });
  });
  // After all others, whose names could be a pod's.
  return [written, ...blocks, `Host *\n  Include "${files.pods}"\n`].join("\n");
}

const written = "# Written by `drawbridge ssh-config`; changes are lost at its next run.\n";

/**
 * In a file of its own: many programs in Go refuse a whole config in which a `Match` stands. They take the quotes in the
 * Include for part of the file's name, and find no file.
 */
function podsText(files: SshFiles): string {
  const folder = identityFiles(stateFolder()).folder.replaceAll("\\", "/");
  return [written, sshpodConfigText(folder, thisOs(), { command: starterOf(files) })].join("\n");
}

function seconds(text = "0"): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 86_400) return value;
  throw new CliError(
    `--multiplex ${JSON.stringify(text)} is not a number of seconds from 0 to 86400`,
    ExitCode.usage,
  );
}

async function include(files: SshFiles, { includesOurs }: OwnConfig): Promise<void> {
  const before = await readOptional(files.userConfig);
  const line = includeLine(files.config);
  const after = withBlock(before, line);
  if (before?.equals(after)) return;
  if (before !== undefined && !before.includes("# >>> drawbridge"))
    await copyFile(files.userConfig, files.backup);
  await replace(files.userConfig, after).catch((error: Error) => {
    // Some people's config is made by another program, and they have the line in there.
    if (includesOurs) return;
    throw new CliError(
      `${files.userConfig} cannot be written: ${error.message}; put this at its top yourself, and the rest is done: ${line.trim()}`,
    );
  });
}

async function remove(files: SshFiles): Promise<string> {
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

async function explained(files: SshFiles, work: () => Promise<void>): Promise<void> {
  try {
    await work();
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
