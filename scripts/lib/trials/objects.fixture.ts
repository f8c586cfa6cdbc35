/**
 * What components make of the arguments of their trials, as text: the objects whole, and of each trial the paths that it
 * changes. Texts differ by lines. What is derived of secrets stands as a hash, so that a change of it shows and it does not.
 */
import { createHash } from "node:crypto";
import { knownHostsLine } from "@drawbridge-iac/drawbridge/src/host/client-texts/known-hosts";
import { sshCommand } from "@drawbridge-iac/drawbridge/src/host/client-texts/proxy-command";
import { sshConfigText } from "@drawbridge-iac/drawbridge/src/host/client-texts/ssh-config";
import { frpSshCommand, frpWay, type KnownFrpcPlan } from "@drawbridge-iac/drawbridge/src/host/frpc/plan";
import type { KnownHost } from "@drawbridge-iac/drawbridge/src/host/plan";
import { hostSshTarget } from "@drawbridge-iac/drawbridge/src/host/target";
import { ArgsError } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import { whenSettled } from "@drawbridge-iac/drawbridge/src/kit/input";
import type { Resolve } from "@drawbridge-iac/drawbridge/src/kit/resolve";
import type { Args, Trial } from "@drawbridge-iac/drawbridge/src/kit/trials.fixture";
import { stringify } from "yaml";
import { edited } from "./edit.ts";
import type { Title, TriedKind } from "./index.ts";
import { made } from "./made.fixture.ts";

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** Secrets are their hashes; but a whole file that holds one is read, so it stays. */
const resolve: Resolve = {
  plain: whenSettled,
  derived: whenSettled,
  secret: whenSettled,
  mark: (of) => whenSettled(of, (known) => `mark ${shortHash(JSON.stringify(known))}` as never),
};

const privateKey = /-----BEGIN OPENSSH PRIVATE KEY-----[\s\S]*?-----END OPENSSH PRIVATE KEY-----\n?/g;

const isJson = (text: string) => {
  try {
    return /^\{/.test(text) && typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
};

/** As JSON has it, with hashes for private keys, and short ones for those that only say that something differs. */
function plain(value: unknown): unknown {
  if (typeof value === "string" && isJson(value)) return plain(JSON.parse(value));
  if (typeof value === "string")
    return value
      .replaceAll(privateKey, (key) => `(private key ${shortHash(key)})`)
      .replaceAll(/\b[0-9a-f]{32,}\b/g, (hash) => `(hash ${shortHash(hash)})`);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, plain(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

const decoded = (data: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
  );

const isHost = (plan: unknown): plan is KnownHost =>
  typeof plan === "object" &&
  plan !== null &&
  "knownNames" in plan &&
  "hasSshd" in plan &&
  plan.hasSshd === true;

/** What clients are told of a host, who has these keys. */
function clientTexts(plan: KnownHost, hostKeys: readonly string[]) {
  const frpc = plan.frpc as (KnownFrpcPlan & { connectAddress: string }) | undefined;
  const { gatewayAddress } = plan as { gatewayAddress?: string };
  const target = hostSshTarget(plan, {
    hostKeys,
    ...(gatewayAddress === undefined ? {} : { gatewayAddress }),
    furtherWays: frpc ? [frpWay(frpc, frpc.connectAddress)] : [],
  });
  const isOpen = target.ways.length > 0;
  return {
    knownHosts: hostKeys.map((key) => knownHostsLine(plan.knownNames, plan.ssh.port, key)).join(""),
    target,
    ...(isOpen && { sshConfig: sshConfigText(target), sshCommand: sshCommand(target) }),
    ...(frpc && { frpCommand: frpSshCommand(plan, frpc, frpc.connectAddress) }),
  };
}

type Made = Readonly<Record<string, unknown>>;

const known = new Map<string, Made | string>();

/** A component's objects by their keys, with all that Pulumi is told of them; or why its arguments are refused. */
export function madeOf(title: Title, args: Args): Made | string {
  const key = JSON.stringify([title, args]);
  const found = known.get(key) ?? make(title, args);
  known.set(key, found);
  return found;
}

function make(title: Title, args: Args): Made | string {
  try {
    const { plan, secrets, template, ...all } = made(title, args, resolve);
    const objects = Object.entries(all.objects).flatMap(([key, object]) => {
      if (!object) return [];
      const { manifest, ...making } = object;
      const { data } = manifest as { data?: Record<string, string> };
      const inner = manifest.kind === "Secret" ? { data: decoded(data ?? {}) } : {};
      return [[key, { ...manifest, ...inner, ...(Object.keys(making).length > 0 && { making }) }]];
    });
    const { hostKey } = (secrets ?? {}) as { hostKey?: { publicKeys: readonly string[] } };
    const keys = hostKey?.publicKeys ?? (plan as { hostPublicKeys?: readonly string[] }).hostPublicKeys ?? [];
    return plain({
      ...Object.fromEntries(objects),
      "pod template": template,
      ...(isHost(plan) && { clients: clientTexts(plan, keys) }),
    }) as Made;
  } catch (error) {
    if (!(error instanceof ArgsError)) throw error;
    return error.message.split("\n").slice(1).join(" ").trim() || error.message;
  }
}

export const yamlOf = (made: Made | string) =>
  stringify(made, { aliasDuplicateObjects: false, lineWidth: 0, blockQuote: "literal" });

const nameIn = (value: unknown) =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string"
    ? value.name
    : undefined;

/** A list's items by their names, where each has its own. */
function named(list: readonly unknown[]): Record<string, unknown> | undefined {
  const names = list.map(nameIn);
  const isEach = names.every((name) => name !== undefined) && new Set(names).size === names.length;
  return isEach ? Object.fromEntries(list.map((item, at) => [`[${names[at]}]`, item])) : undefined;
}

const shown = (value: unknown) => {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 60)}… (${text.length} characters, ${shortHash(text)})` : text;
};

/** Two values; of long texts only where they differ. */
function change(before: unknown, after: unknown): string {
  if (typeof before !== "string" || typeof after !== "string" || before.length + after.length < 160)
    return `${shown(before)} -> ${shown(after)}`;
  const length = Math.min(before.length, after.length);
  let start = 0;
  while (start < length && before[start] === after[start]) start++;
  let end = 0;
  while (end < length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const part = (text: string) =>
    shown(text.slice(Math.max(0, start - 30), text.length - Math.max(0, end - 10)));
  return `…${part(before)} -> ${part(after)}…`;
}

/** Lines that one has more of than the other, in order. */
function lacking(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** A row for each path at which two differ: `path: before -> after`. */
export function differences(before: unknown, after: unknown, path = ""): string[] {
  if (before === after) return [];
  if (typeof before === "string" && typeof after === "string" && /\n./.test(`${before}${after}`)) {
    const [was, is] = [before.split("\n"), after.split("\n")];
    const rows = [
      ...lacking(was, is).map((line) => `${path} - ${line}`),
      ...lacking(is, was).map((line) => `${path} + ${line}`),
    ];
    return rows.length > 0 ? rows : [`${path}: the lines are in another order, ${shortHash(after)}`];
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [was, is] = [named(before), named(after)];
    if (was && is) {
      const rows = differences(was, is, path);
      const [order, later] = [was, is].map((one) => Object.keys(one).join(" "));
      return rows.length > 0 || order === later ? rows : [`${path}: ${later} in this order`];
    }
    if (before.length === after.length)
      return before.flatMap((item, at) => differences(item, after[at], `${path}[${at}]`));
    const [lines, others] = [before.map(shown), after.map(shown)];
    return [
      ...lacking(lines, others).map((item) => `${path}: - ${item}`),
      ...lacking(others, lines).map((item) => `${path}: + ${item}`),
    ];
  }
  const isTree = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (isTree(before) && isTree(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      differences(
        before[key],
        after[key],
        key.startsWith("[") || path === "" ? `${path}${key}` : `${path}.${key}`,
      ),
    );
  // What is new as a whole is shown by its parts.
  if (before === undefined && isTree(after) && path.split(".").length < 3)
    return differences({}, after, path);
  if (before === undefined) return [`${path}: + ${shown(after)}`];
  return after === undefined ? [`${path}: -`] : [`${path}: ${change(before, after)}`];
}

/** The paths that a trial changes in a component; or why it is refused. */
function rowsOf(title: Title, path: string, trial: Trial, start: Args): readonly string[] | string {
  const { before, after } = edited(path, trial, start);
  const [was, is] = [madeOf(title, before), madeOf(title, after)];
  if (typeof was === "string") return was;
  return typeof is === "string" ? is : differences(was, is);
}

/** What trials start from besides the base: a block for each, of what it changes there. */
export function startsOf(title: Title, { base, trials, parts = {} }: TriedKind): string[] {
  const all = [...Object.values(trials), ...Object.values(parts)];
  const starts = new Map(all.map(({ from }) => [JSON.stringify(from, (_, value) => value ?? null), from]));
  return [...starts].flatMap(([text, from]) => {
    if (from === undefined) return [];
    const rows = rowsOf(title, "", { to: from }, base("it"));
    if (typeof rows === "string") throw new Error(`${text} is refused: ${rows}`);
    return [`from ${text}`, ...rows].join("\n  ");
  });
}

/** The block of a trial: of a component that has little and, where it does more there, of one that has nearly all. */
export function effectsOf(title: Title, { base, full }: TriedKind, path: string, trial: Trial): string {
  const own = rowsOf(title, path, trial, base("it"));
  if (typeof own === "string") throw new Error(`the trial of ${path} is refused: ${own}`);
  const more = full && rowsOf(title, path, trial, { ...base("it"), ...full });
  const further = typeof more === "object" ? lacking(more, own).map((row) => `full: ${row}`) : [];
  const value = JSON.stringify(plain(trial.to ?? trial.value)) ?? "left out";
  return [`${path} = ${value}`, ...own, ...further].join("\n  ");
}
