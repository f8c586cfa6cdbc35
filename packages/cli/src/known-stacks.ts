/** What this laptop knows of stacks: which containers and storages each has, and how its blocks are written. */
import { isDeepStrictEqual } from "node:util";
import { aliasesOf } from "@drawbridge-iac/drawbridge/src/host/client-texts/ssh-config";
import type { SshTarget } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import type { StorageTarget } from "@drawbridge-iac/drawbridge/src/storage-accessor/ref";
import { CliError } from "./faults.ts";
import { readOptional, type SshFiles, sshFiles } from "./files.ts";
import { hostAndPort, type LoopbackPorts, loopbackPorts } from "./listen/loopback-ports.ts";
import type { Origin } from "./outputs.ts";
import type { TlsOptions } from "./proxy/via.ts";
import { aliasWithNamespace, checkStorage, checkTarget, type NamedTarget, nameTargets } from "./targets.ts";

/** How the blocks of one stack are written. */
export interface WriteOptions extends TlsOptions {
  readonly prefix?: string | undefined;
  readonly identity?: string | undefined;
  readonly forwardAgent?: boolean | undefined;
  readonly multiplex?: string | undefined;
}

/** What one run of `drawbridge ssh-config` has read. */
export interface Source {
  /** Tells it from others: a later run with the same label takes its place. */
  readonly label: string;
  readonly options: WriteOptions;
  readonly targets: readonly SshTarget[];
  readonly storages: readonly StorageTarget[];
  /** Where to read it again; absent for what came by standard input, and in files of older versions. */
  readonly origin?: Origin;
}

/** A container under its alias, with the source that it came from. */
export interface KnownTarget extends NamedTarget {
  readonly options: WriteOptions;
  readonly source: string;
  /** Files for the gateway's TLS. */
  readonly tls: TlsOptions;
}

/** The file in which `drawbridge ssh-config` keeps what it has read. */
export interface TargetsFile {
  readonly sources: readonly Source[];
  /** The alias of each container, which stays its own as others come and go. */
  readonly names: Readonly<Record<string, string>>;
  readonly loopback: LoopbackPorts;
}

/** That file's content as the other commands use it. */
export interface KnownStacks {
  readonly targets: readonly KnownTarget[];
  readonly storages: readonly (StorageTarget & { readonly ca?: string | undefined })[];
  readonly loopback: LoopbackPorts;
}

export async function readTargetsFile(files: SshFiles): Promise<TargetsFile> {
  const text = await readOptional(files.targets);
  if (text === undefined) return { sources: [], names: {}, loopback: {} };
  try {
    const { sources = [], names = {}, loopback = {} } = JSON.parse(text.toString()) as Partial<TargetsFile>;
    const checked = sources.map((source) => ({
      ...source,
      targets: source.targets.map(checkTarget),
      storages: source.storages.map(checkStorage),
    }));
    return { sources: checked, names, loopback: portsOf(checked, loopback) };
  } catch (error) {
    throw new CliError(
      `${files.targets} cannot be used, perhaps because another version wrote it (${(error as Error).message}); install the newest, or begin anew: drawbridge ssh-config --remove, then ssh-config with --stack or --from`,
    );
  }
}

export function portsOf(sources: readonly Source[], before: LoopbackPorts): LoopbackPorts {
  return loopbackPorts(
    sources.flatMap(({ targets }) => targets),
    before,
  );
}

/**
 * The sources with this one in the place where it stood. It takes no container from another source, not with that one's
 * host keys either: these are public, and a source that has taken a container may give it others. What is the same there in
 * everything stays there.
 */
export function withSource(sources: readonly Source[], fresh: Source): Source[] {
  const rest = sources.filter(({ label }) => label !== fresh.label);
  const targets = fresh.targets.filter((target) => rest.every((other) => !isIn(other, target, fresh)));
  const isElsewhere = (storage: StorageTarget) =>
    rest.some(({ storages }) => storages.some((one) => isDeepStrictEqual(one, storage)));
  const own = { ...fresh, targets, storages: fresh.storages.filter((storage) => !isElsewhere(storage)) };
  if (rest.length === sources.length) return [...sources, own];
  return sources.map((source) => (source.label === fresh.label ? own : source));
}

/** Whether another source has the container already; throws if it has another one of that host name. */
function isIn(other: Source, target: SshTarget, fresh: Source): boolean {
  const place = hostAndPort(target);
  const known = other.targets.find((one) => hostAndPort(one) === place);
  if (known === undefined || isDeepStrictEqual(known, target)) return known !== undefined;
  throw new CliError(
    `${target.name} of ${fresh.label} has the host name of ${known.name} of ${other.label} (${place}), so it would take its place; if it has moved, run drawbridge ssh-config, which reads the first again, or forget the first: ${forgetting(other)}; then read ${fresh.label} again`,
  );
}

/** The command that forgets a source. What came by standard input has nothing to be named by. */
export function forgetting({ origin }: Source): string {
  const command = "drawbridge ssh-config --remove";
  if (origin === undefined) return `${command}, which forgets all stacks`;
  const { stack, cwd, from } = origin;
  const place = from === undefined ? { stack, cwd } : { from };
  const words = Object.entries(place).flatMap(([option, value = ""]) =>
    value === "" ? [] : [`--${option}`, /^[\w./:@~+-]+$/.test(value) ? value : `"${value}"`],
  );
  return [command, ...words].join(" ");
}

/**
 * Every container with its alias. A name that another has already, for itself or for one of its ways, gets its namespace
 * added.
 * @param names the aliases until now: a container keeps its own, so an old name never leads into another container
 */
export function knownTargets(sources: readonly Source[], names: TargetsFile["names"] = {}): KnownTarget[] {
  const all = sources.flatMap(({ label, options, targets }) => {
    const { ca, cert, key } = options;
    return nameTargets(targets, options.prefix).map(({ alias, target }) => {
      const possible = [alias, aliasWithNamespace(alias, target)];
      const own = names[hostAndPort(target)] ?? "";
      return {
        target,
        options,
        source: label,
        tls: { ca, cert, key },
        possible,
        own: possible.includes(own) ? own : undefined,
      };
    });
  });
  const taken = new Set<string>();
  const take = (wanted: readonly string[], { ways }: SshTarget, source: string): string => {
    const alias = wanted.find((name) => aliasesOf(name, ways).every((each) => !taken.has(each)));
    if (alias === undefined) {
      const twice = aliasesOf(wanted.at(-1) ?? "", ways).find((each) => taken.has(each));
      throw new CliError(
        `two containers would be called ${twice}, one of them in ${source}; set other names for that stack with --prefix`,
      );
    }
    for (const each of aliasesOf(alias, ways)) taken.add(each);
    return alias;
  };
  const kept = all.map(({ own, target, source }) => own && take([own], target, source));
  return all.map(({ possible, own, ...known }, index) => ({
    alias: kept[index] ?? take(possible, known.target, known.source),
    ...known,
  }));
}

/** The laptop knows no such container. */
export class UnknownHere extends CliError {}

/** It has not read any stack, or has forgotten all. */
export class NothingKnown extends UnknownHere {}

export async function readKnownStacks(files: SshFiles = sshFiles()): Promise<KnownStacks> {
  const { sources, names, loopback } = await readTargetsFile(files);
  if (sources.length === 0) {
    throw new NothingKnown(
      "this laptop knows no containers yet; run first: drawbridge ssh-config --stack STACK, or --from outputs.json",
    );
  }
  return {
    targets: knownTargets(sources, names).sort((a, b) => (a.alias < b.alias ? -1 : 1)),
    storages: sources.flatMap(({ storages, options }) =>
      storages.map((storage) => ({ ...storage, ...(options.ca === undefined ? {} : { ca: options.ca }) })),
    ),
    loopback,
  };
}

/** The one that this laptop knows under that name. */
export async function knownTarget(alias: string): Promise<KnownTarget> {
  return targetCalled(await readKnownStacks(), alias);
}

export function targetCalled({ targets }: KnownStacks, alias: string): KnownTarget {
  const found = targets.find((candidate) => candidate.alias === alias);
  if (found !== undefined) return found;
  throw new UnknownHere(
    `no container is called ${JSON.stringify(alias)}; known: ${targets.map((each) => each.alias).join(", ") || "none"}`,
  );
}
