/** `drawbridge ssh-config`: which stacks this laptop knows, read for the first time, again, or forgotten. */
import { existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { checkedPath } from "@drawbridge-iac/drawbridge/src/host/client-texts/checked-line";
import type { SshTarget } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import { compact } from "@drawbridge-iac/drawbridge/src/kubernetes/manifest";
import { explained, refusing, removeConfig, writeConfig } from "../config-files.ts";
import { CliError, ExitCode, isExpected } from "../faults.ts";
import { type SshFiles, sshFiles, withHome } from "../files.ts";
import {
  forgetting,
  knownTargets,
  readTargetsFile,
  type Source,
  type TargetsFile,
  type WriteOptions,
  withSource,
} from "../known-stacks.ts";
import { alone } from "../lock.ts";
import { type Origin, readOutputs } from "../outputs.ts";
import { allowContexts } from "../sshpod/contexts.ts";
import { findStorages, findTargets } from "../targets.ts";
import { visible } from "../terminal.ts";

export interface SshConfigFlags extends WriteOptions, Origin {
  readonly sshpod?: boolean;
  readonly context?: readonly string[];
  readonly remove?: boolean;
}

/** Reads, changes and writes the laptop's files while no other run of it does. */
export async function sshConfig(flags: SshConfigFlags): Promise<string> {
  const files = sshFiles();
  // A wrong option is the fault of no source.
  withPaths(optionsIn(flags));
  const made = await explained(files, async () =>
    mkdirSync(files.sshFolder, { recursive: true, mode: 0o700 }),
  );
  try {
    return await alone(files.lock, () => underLock(files, flags), warn);
  } finally {
    // Nothing of ours stays behind where nothing was written.
    if (made !== undefined && readdirSync(files.sshFolder).length === 0) rmdirSync(files.sshFolder);
  }
}

const warn = (text: string) => void process.stderr.write(`drawbridge: ${visible(text)}\n`);

async function underLock(files: SshFiles, flags: SshConfigFlags): Promise<string> {
  const { stack, cwd, from } = flags;
  const everything = stack === undefined && cwd === undefined && from === undefined;
  if (flags.remove && everything) return removeConfig(files);
  const known = await readTargetsFile(files);
  const { sources } = known;
  if (flags.remove) return writeConfig(files, known, without(sources, labelOf(flags)), []);
  if (flags.context !== undefined && !flags.sshpod)
    throw new CliError("--context is for the block of *.sshpod; add --sshpod", ExitCode.usage);
  if (flags.sshpod) {
    const { currentContext } = await import("../sshpod/kube.ts");
    const allowed = await allowContexts(flags.context ?? [], currentContext);
    const text = await writeConfig(files, known, sources, []);
    return `${text}host names lead to the contexts: ${allowed.join(", ") || "the current one alone"}; --context allows others\n`;
  }
  if (everything && sources.length > 0) return withOwnStack(files, known, flags);
  const fresh = await readOrigin({ stack, cwd, from }, sources, flags);
  return writeConfig(files, known, withSource(sources, fresh), [fresh]);
}

/** Reads all again, and the selected stack of this folder's program if none of that program is known. */
async function withOwnStack(files: SshFiles, known: TargetsFile, flags: SshConfigFlags): Promise<string> {
  const folder = programFolder(resolve("."));
  const isKnown = known.sources.some(
    ({ origin }) =>
      origin?.from === undefined && origin?.cwd !== undefined && programFolder(origin.cwd) === folder,
  );
  if (folder === undefined || isKnown) return refresh(files, known, flags);
  const sources = await readOrigin({ cwd: folder }, known.sources, flags).then(
    (fresh) => withSource(known.sources, fresh),
    (error: Error) => error,
  );
  if (!(sources instanceof Error)) return refresh(files, { ...known, sources }, flags);
  if (!isExpected(sources)) throw sources;
  const cure = "name one: drawbridge ssh-config --stack STACK";
  return `${await refresh(files, known, flags)}the stack of ${folder} was not read: ${sources.message}; ${cure}\n`;
}

/** The folder of the Pulumi program that this one belongs to, as Pulumi finds it. */
function programFolder(folder: string): string | undefined {
  if (["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].some((name) => existsSync(join(folder, name))))
    return folder;
  return dirname(folder) === folder ? undefined : programFolder(dirname(folder));
}

/**
 * Reads everything again from where it came; what came by standard input stays as it is. So does a source with a fault,
 * which is told after the others are written: their new keys must arrive.
 */
async function refresh(files: SshFiles, known: TargetsFile, flags: SshConfigFlags): Promise<string> {
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
  const told = known.sources.flatMap((source) => {
    const fault = faults.get(source.label);
    if (fault === undefined) return [];
    return [`${source.label} was not read again: ${fault}`, `if it is gone: ${forgetting(source)}`];
  });
  if (again.size === 0) throw new CliError(told.join("\n"));
  return writeConfig(files, known, sources, [...again], told);
}

async function readOrigin(origin: Origin, before: readonly Source[], flags: WriteOptions): Promise<Source> {
  const outputs = await readOutputs(origin);
  const targets = findTargets(outputs);
  if (targets.length === 0) {
    throw new CliError(
      "the outputs name no container; export the sshTarget of each DevContainer from your program and run pulumi up (one that failed gives out nothing; drawbridge doctor says what the cluster has). For pods of any kind, over the Kubernetes API alone: drawbridge ssh-config --sshpod",
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
