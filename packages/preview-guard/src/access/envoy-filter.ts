/**
 * An EnvoyFilter can do anything to a proxy. The patches that drawbridge writes are known, each with what it opens or
 * keeps closed; any other one has to be read by somebody.
 */
import { type ClientLimits, gatewayPatches, hashOf, storageProxyPatches } from "@drawbridge-iac/manifests";
import { at } from "../finding.ts";
import { type Inputs, isOf, listAt, mapAt, type ObjectPair } from "../objects.ts";
import { crosses, type Effect, gains, loses, setEffects, unknown } from "./effect.ts";

const wall = (text: string) => crosses("wall-removed", text);

/** Known patches, with the effects of adding and of removing them. */
interface Meaning {
  readonly patches: readonly unknown[];
  readonly comes?: Effect;
  readonly goes?: Effect;
}

const meanings: readonly Meaning[] = [
  // These open nothing.
  { patches: [gatewayPatches.otherAddress, ...gatewayPatches.keepalive, ...gatewayPatches.unused] },
  {
    patches: [gatewayPatches.connectRoutes],
    comes: gains("its SSH routes become tunnels"),
    goes: loses("no route becomes a tunnel any more, so nobody can log in through it"),
  },
  {
    patches: [gatewayPatches.noEarlyData],
    comes: loses("what a client sends before its tunnel stands is refused"),
    goes: wall("what a client sends before its tunnel stands would be let through (CVE-2025-64763)"),
  },
  {
    patches: [gatewayPatches.noSilentClients],
    comes: loses("connections that ask for nothing are closed"),
    goes: wall("connections that ask for nothing would stay open"),
  },
  {
    patches: [storageProxyPatches.manager],
    goes: wall("its limits, its log and its reading of paths would no longer be this version's"),
  },
  {
    patches: [storageProxyPatches.visitorFilter],
    comes: loses("a storage's visitors are kept apart as this version does it"),
    goes: wall("the storages' visitors would no longer be kept apart as this version does it"),
  },
];
const meaningOf = new Map(meanings.flatMap((one) => one.patches.map((patch) => [hashOf(patch), one])));

/** The known patches of a filter, and the others. */
interface Reading {
  readonly known: ReadonlySet<Meaning>;
  /** Fields of the audit log's lines, where there are any. */
  readonly logged: readonly string[];
  readonly limits: ClientLimits | undefined;
  /** Unknown patches, each with its hash, so that an acceptance is for this one only. */
  readonly strange: readonly string[];
}

/** @param before limits that it had, by which what slows clients down is known where it no longer refuses any */
function read(inputs: Inputs | undefined, before?: ClientLimits): Reading {
  const known = new Set<Meaning>();
  let logged: readonly string[] = [];
  const strange: string[] = [];
  const patches = listAt(inputs, "spec", "configPatches");
  const limits = patches.map(limitsOf).find((one) => one !== undefined);
  const slowed = limits ?? before;
  const limiting = new Set(
    slowed === undefined ? [] : gatewayPatches.limited(slowed).map((one) => hashOf(one)),
  );
  for (const patch of patches) {
    const meaning = meaningOf.get(hashOf(patch));
    const fields = logged.length === 0 ? loggedBy(patch) : undefined;
    if (meaning !== undefined) known.add(meaning);
    else if (fields !== undefined) logged = fields;
    // Once: a second patch of the same shape is unknown.
    else if (!limiting.delete(hashOf(patch)))
      strange.push(`${at(patch, "applyTo")} ${at(patch, "patch", "operation")} ${hashOf(patch)}`);
  }
  return { known, logged, limits, strange };
}

/** A patch refuses by limits of ours if we would write it like this. An earlier version wrote it alone. */
function limitsOf(patch: unknown): ClientLimits | undefined {
  const buckets = listAt(patch, "patch", "value", "typed_config", "descriptors");
  const [perClient, perClientAndContainer] = [0, 1].map((index) => ({
    burst: Number(at(buckets[index], "token_bucket", "max_tokens")),
    connectionsPerMinute: Number(at(buckets[index], "token_bucket", "tokens_per_fill")),
  }));
  if (perClient === undefined || perClientAndContainer === undefined) return undefined;
  const limits = { perClient, perClientAndContainer };
  return hashOf(gatewayPatches.limited(limits).at(-1)) === hashOf(patch) ? limits : undefined;
}

const typedConfig = ["patch", "value", "typed_config"] as const;
const format = ["access_log", 0, "typed_config", "log_format", "json_format"] as const;
const ownFields = mapAt(gatewayPatches.auditLog, ...typedConfig, ...format);

/** An earlier version logged less; whoever logs something else may log what is secret. */
function loggedBy(patch: unknown): readonly string[] | undefined {
  const fields = mapAt(patch, ...typedConfig, ...format);
  const isOurs = Object.entries(fields).every(([name, value]) => ownFields[name] === value);
  const filled = JSON.stringify(patch, (key, value) => (key === "json_format" ? ownFields : value));
  const isLog = hashOf(JSON.parse(filled)) === hashOf(gatewayPatches.auditLog);
  return isOurs && isLog ? Object.keys(fields) : undefined;
}

export function filterEffects(pair: ObjectPair): Effect[] {
  const { before, after } = pair;
  if (after === undefined) return [wall("what it limited or demanded of clients ends")];
  if (before === undefined && !isOf(pair, "SshGateway", "StorageProxy"))
    return [unknown("unknown-kind", "an EnvoyFilter can do anything to a proxy")];
  const was = read(before);
  const is = read(after, was.limits);
  return [
    ...(before === undefined ? [gains("EnvoyFilter is new")] : comparison(was, is)),
    ...selection(before, after),
    ...setEffects(
      was.strange,
      is.strange,
      (patch) =>
        unknown("unknown-field", `spec.configPatches: ${patch} is a patch that this version does not know`),
      (patch) => wall(`the patch ${patch}, which this version does not know, ends`),
    ),
  ];
}

function selection(before: Inputs | undefined, after: Inputs): Effect[] {
  const selector = (inputs: Inputs) => mapAt(inputs, "spec", "workloadSelector", "labels");
  if (Object.keys(selector(after)).length === 0)
    return [unknown("unknown-field", "without spec.workloadSelector it patches proxies that nobody named")];
  return before === undefined || hashOf(selector(before)) === hashOf(selector(after))
    ? []
    : [wall("it would patch other proxies, so those of before lose what it limited or demanded")];
}

function comparison(was: Reading, is: Reading): Effect[] {
  const comes = [...is.known].filter((one) => !was.known.has(one)).map(({ comes }) => comes);
  const goes = [...was.known].filter((one) => !is.known.has(one)).map(({ goes }) => goes);
  const unlogged = was.logged.filter((field) => !is.logged.includes(field));
  return [
    ...[...comes, ...goes].filter((effect) => effect !== undefined),
    ...(unlogged.length === 0 ? [] : [wall(logText(is, unlogged))]),
    ...limitEffects(was.limits, is.limits),
  ];
}

function logText({ logged }: Reading, unlogged: readonly string[]): string {
  return logged.length === 0
    ? "no line would be logged of who opens a tunnel to what"
    : `its log would no longer say ${unlogged.join(", ")}`;
}

function limitEffects(was: ClientLimits | undefined, is: ClientLimits | undefined): Effect[] {
  if (is === undefined)
    return was === undefined ? [] : [wall("one client could open any number of connections")];
  if (was === undefined) {
    const { connectionsPerMinute, burst } = is.perClient;
    return [loses(`one client may open ${connectionsPerMinute} connections a minute, ${burst} at once`)];
  }
  return (["perClient", "perClientAndContainer"] as const).flatMap((client) =>
    (["connectionsPerMinute", "burst"] as const).flatMap((rate) => {
      const [old, now] = [was[client][rate], is[client][rate]];
      const text = `connectionLimits.${client}.${rate}: ${old} → ${now}`;
      return old === now ? [] : [now > old ? wall(text) : loses(text)];
    }),
  );
}
