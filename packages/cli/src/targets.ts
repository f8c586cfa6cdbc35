/** Containers and storages as they are found in a stack's outputs. */
import {
  type SshTarget,
  type SshWay,
  sshTargetKind,
  sshTargetSchema,
} from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import { issuesOf } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import { reading } from "@drawbridge-iac/drawbridge/src/kit/zod-faults";
import {
  type StorageTarget,
  storageTargetKind,
  storageTargetSchema,
} from "@drawbridge-iac/drawbridge/src/storage-accessor/ref";
import type { z } from "zod";
import { CliError } from "./faults.ts";
import type { TlsOptions } from "./proxy/via.ts";

/** A container under the name that one types. */
export interface NamedTarget {
  readonly alias: string;
  readonly target: SshTarget;
}

/** Every container's target among outputs, at any depth, as an object or as the JSON text that components gave out. */
export function findTargets(outputs: unknown): SshTarget[] {
  return marked(outputs, sshTargetKind).map(checkTarget);
}

/** Every storage among outputs, found like the containers. */
export function findStorages(outputs: unknown): StorageTarget[] {
  return marked(outputs, storageTargetKind).map(checkStorage);
}

function marked(outputs: unknown, kind: string): object[] {
  if (typeof outputs === "string") return outputs.includes(kind) ? marked(readJson(outputs), kind) : [];
  if (typeof outputs !== "object" || outputs === null) return [];
  if ("kind" in outputs && outputs.kind === kind) return [ownNames(outputs)];
  return Object.values(outputs).flatMap((inner) => marked(inner, kind));
}

/** A program in Python gives out the names of Python: `host_keys`. */
function ownNames<T>(value: T): T {
  if (Array.isArray(value)) return value.map(ownNames) as T;
  if (typeof value !== "object" || value === null) return value;
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camel(name), ownNames(inner)]),
  ) as T;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Outputs are text from elsewhere that ends up in an ssh_config, so nothing passes unchecked. */
export const checkTarget = (value: object): SshTarget => check("container", sshTargetSchema, value);
export const checkStorage = (value: object): StorageTarget => check("storage", storageTargetSchema, value);

function check<T>(what: string, schema: z.ZodType<T>, value: object): T {
  const result = schema.safeParse(value, reading);
  if (result.success) return result.data;
  const name = "name" in value ? JSON.stringify(value.name) : "without a name";
  const faults = issuesOf(result.error).map(({ path, message }) => `${path}: ${message}`);
  throw new CliError(`the ${what} ${name} in the outputs cannot be used: ${faults.join("; ")}`);
}

/**
 * The alias that tells a container from others of its name. Both parts are the author's of some stack, so no dot stands
 * between them: `github` in the namespace `com` must not be what `ssh github.com` reaches. With a hyphen it is one label
 * of its own kind, which may be another container's name, never a host of the internet; who has it first keeps it.
 */
export const aliasWithNamespace = (alias: string, { namespace }: SshTarget) => `${alias}-${namespace}`;

/** Names that are this machine, or an address, to every program: 2130706433 and 0x7f000001 are 127.0.0.1. */
const isHost = (alias: string) => /^(localhost|\d+|0x[\da-f]+)$/.test(alias);

/** Gives each target its alias; two containers of one name are told apart by their namespaces. */
export function nameTargets(targets: readonly SshTarget[], prefix = ""): NamedTarget[] {
  const count = (name: string) => targets.filter((target) => target.name === name).length;
  const named = targets.map((target) => {
    const short = `${prefix}${target.name}`;
    const isTaken = count(target.name) > 1 || isHost(short);
    return { alias: isTaken ? aliasWithNamespace(short, target) : short, target };
  });
  const other = (one: NamedTarget) =>
    named.find(({ alias, target }) => alias === one.alias && target !== one.target);
  const twice = named.find((one) => other(one) !== undefined);
  if (twice === undefined) return named.sort((a, b) => (a.alias < b.alias ? -1 : 1));
  const both = [twice, other(twice) ?? twice].map(({ target }) => `${target.namespace}/${target.name}`);
  throw new CliError(
    both[0] === both[1]
      ? `two containers are called ${both[0]}; read one stack at a time and use --prefix`
      : `${both.join(" and ")} would both be called ${twice.alias}; read one stack at a time and use --prefix`,
  );
}

/** What TLS needs on one way: the files of all, and the name on the gateway's certificate. */
export function tlsOn(way: SshWay, { tls }: { readonly tls: TlsOptions }): TlsOptions {
  return { ...tls, "server-name": way.way === "gateway" ? way.serverName : undefined };
}
