/** The containers that this laptop knows: found in a stack's outputs, kept in a file for the other commands. */
import { readFile } from "node:fs/promises";
import {
  issuesOf,
  type SshTarget,
  type SshWay,
  sshTargetKind,
  sshTargetSchema,
} from "@drawbridge-iac/manifests";
import { CliError } from "./cli-error.ts";
import type { TlsOptions } from "./proxy/gateway.ts";
import type { SshFiles } from "./ssh-files.ts";

/** A container under the name that one types. */
export interface NamedTarget {
  readonly alias: string;
  readonly target: SshTarget;
}

/** Every target among outputs, at any depth, as an object or as the JSON text that components give out. */
export function findTargets(outputs: unknown): SshTarget[] {
  if (typeof outputs === "string")
    return outputs.includes(sshTargetKind) ? findTargets(readJson(outputs)) : [];
  if (typeof outputs !== "object" || outputs === null) return [];
  if ("kind" in outputs && outputs.kind === sshTargetKind) return [checkTarget(outputs)];
  return Object.values(outputs).flatMap(findTargets);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Outputs are text from elsewhere that ends up in an ssh_config, so nothing passes unchecked. */
function checkTarget(value: object): SshTarget {
  const result = sshTargetSchema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const name = "name" in value ? JSON.stringify(value.name) : "without a name";
  const faults = issuesOf(result.error).map(({ path, message }) => `${path}: ${message}`);
  throw new CliError(`the container ${name} in the outputs cannot be used: ${faults.join("; ")}`);
}

/** Gives each target its alias; two containers of one name are told apart by their namespaces. */
export function nameTargets(targets: readonly SshTarget[], prefix = ""): NamedTarget[] {
  const count = (name: string) => targets.filter((target) => target.name === name).length;
  const named = targets.map((target) => ({
    alias: `${prefix}${target.name}${count(target.name) > 1 ? `.${target.namespace}` : ""}`,
    target,
  }));
  const twice = named.find(({ alias }, index) => named.findIndex((other) => other.alias === alias) !== index);
  if (twice === undefined) return named.sort((a, b) => (a.alias < b.alias ? -1 : 1));
  throw new CliError(
    `two containers are called ${twice.target.namespace}/${twice.target.name}; read one stack at a time and use --prefix`,
  );
}

/** What the last `drawbridge ssh-config` wrote down for the other commands. */
export interface Saved {
  readonly targets: readonly NamedTarget[];
  /** Files for the gateway's TLS. */
  readonly tls: TlsOptions;
}

/** What TLS needs on one way: the files of all, and the name on the gateway's certificate. */
export function tlsOn(way: SshWay, { tls }: Pick<Saved, "tls">): TlsOptions {
  return { ...tls, "server-name": way.way === "gateway" ? way.serverName : undefined };
}

export async function readSaved(files: SshFiles): Promise<Saved> {
  const text = await readFile(files.targets, "utf8").catch(() => undefined);
  if (text === undefined) {
    throw new CliError(
      "this laptop knows no containers yet; run first: drawbridge ssh-config --stack STACK, or --from outputs.json",
    );
  }
  const saved = JSON.parse(text) as Saved;
  return {
    tls: saved.tls,
    targets: saved.targets.map(({ alias, target }) => ({ alias, target: checkTarget(target) })),
  };
}

export function targetCalled({ targets }: Saved, alias: string): SshTarget {
  const found = targets.find((candidate) => candidate.alias === alias);
  if (found !== undefined) return found.target;
  throw new CliError(
    `no container is called ${JSON.stringify(alias)}; known: ${targets.map((each) => each.alias).join(", ")}`,
  );
}
