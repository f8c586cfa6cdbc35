import { completeContainer, completeStorage, type Shared, withStorages, writtenAt } from "./complete.ts";
import { type Fault, faultsOf, type Reading } from "./fault.ts";
import { isMap, type Raw, valueAt } from "./merge.ts";
import { componentSchemas, type TeamConfig, teamSchema } from "./schema.ts";

/** A team stack's file; its storages and containers are complete arguments by now. */
export interface TeamStack extends TeamConfig {
  readonly kind: "team";
}

const key = "drawbridge:team";
const missingSeed =
  'is missing; set it once: pulumi config set --secret drawbridge:hostKeySeed "$(openssl rand -base64 32)"';

/** Outputs of a platform's stack that a team uses. */
export interface PlatformOutputs {
  readonly gateway?: unknown;
  readonly frp?: unknown;
  readonly storageProxy?: unknown;
}

/** What a team's file does not hold itself. */
export interface TeamSurroundings {
  /** The secret `drawbridge:hostKeySeed`. */
  readonly hostKeySeed: string | undefined;
  /** The outputs of the platform's stack of this name. */
  platformOutputs(stack: string): Promise<PlatformOutputs>;
}

export async function readTeam(raw: unknown, around: TeamSurroundings): Promise<Reading<TeamStack>> {
  const faults = faultsOf(teamSchema, raw, (path) => [key, ...path]);
  const team = teamSchema.safeParse(raw).data ?? lenient(raw);
  const seed = around.hostKeySeed;
  if (seed === undefined) faults.push({ path: ["drawbridge:hostKeySeed"], message: missingSeed });
  const outputs = await outputsFor(team, around, faults);
  // With a stand-in for a missing seed, the containers' other faults come in the same error.
  const shared: Shared = { ...outputs, ...team, hostKeySeed: seed ?? "x".repeat(32) };
  const storages = mapValues(team.storages, (own) => completeStorage(shared, team.storageDefaults, own));
  const containers = mapValues(team.containers, (own) =>
    completeContainer(shared, team.containerDefaults, own),
  );
  faults.push(...storageFaults(team, storages), ...containerFaults(team, containers, storages, shared));
  return { stack: { ...team, kind: "team", storages, containers }, faults };
}

/** The platform's outputs, where the file names its stack and the outputs are needed. */
async function outputsFor(
  team: TeamConfig,
  around: TeamSurroundings,
  faults: Fault[],
): Promise<PlatformOutputs> {
  const hasAll = team.gateway !== undefined && team.frp !== undefined && team.storageProxy !== undefined;
  if (team.platform === undefined || hasAll) return {};
  const outputs = await around.platformOutputs(team.platform);
  if (Object.keys(outputs).length === 0) {
    faults.push({
      path: [key, "platform"],
      message: `the stack "${team.platform}" has none of the outputs gateway, frp and storageProxy; name a platform stack after its first pulumi up`,
    });
  }
  return outputs;
}

function storageFaults(team: TeamConfig, storages: Record<string, Raw>): Fault[] {
  return Object.entries(storages).flatMap(([name, args]) => {
    const own = team.storages[name] ?? {};
    if (isMap(args.accessor) && args.accessor.proxy === undefined) {
      return [
        {
          path: [key, "storages", name, "accessor"],
          message:
            "has no proxy to stand behind; give storageProxy, or platform with the name of a stack that has one",
        },
      ];
    }
    const place = writtenAt(key, "storages", name, { own, defaults: team.storageDefaults });
    return faultsOf(componentSchemas.storages, args, place);
  });
}

function containerFaults(
  team: TeamConfig,
  containers: Record<string, Raw>,
  storages: Record<string, Raw>,
  shared: Shared,
): Fault[] {
  const references = new Map(
    Object.entries(storages).map(([name, args]) => [name, plainReference(name, args)]),
  );
  return Object.entries(containers).flatMap(([name, args]) => {
    const own = team.containers[name] ?? {};
    const place = writtenAt(key, "containers", name, { own, defaults: team.containerDefaults });
    const faults = unknownStorages(args, references).map(({ path, message }) => ({
      path: place(path),
      message,
    }));
    if (faults.length > 0) return faults;
    if (isMap(valueAt(args, ["access", "frp"])) && shared.frp === undefined && !hasOwnServer(args)) {
      return [
        {
          path: place(["access", "frp"]),
          message: "has no frps; give frp, or platform with the name of a stack that has one",
        },
      ];
    }
    return faultsOf(componentSchemas.containers, withStorages(args, references), place);
  });
}

function hasOwnServer(args: Raw): boolean {
  return valueAt(args, ["access", "frp", "serverAddr"]) !== undefined;
}

/** What checks need to know of a storage; the storage itself gives out the same when it is registered. */
function plainReference(name: string, args: Raw): unknown {
  const { nodeGroup, accessMode, owner, namespace } = args;
  return {
    name: String(args.name ?? name),
    namespace: String(namespace),
    claim: `${name}-storage`,
    ...(accessMode === undefined ? {} : { accessMode }),
    ...(nodeGroup === undefined ? {} : { nodeGroup }),
    ...(valueAt(owner, ["gid"]) === undefined ? {} : { gid: valueAt(owner, ["gid"]) }),
  };
}

function unknownStorages(args: Raw, references: ReadonlyMap<string, unknown>): Fault[] {
  if (!Array.isArray(args.storage)) return [];
  return args.storage.flatMap((mount: unknown, index: number) => {
    const from = valueAt(mount, ["from"]);
    if (typeof from !== "string" || references.has(from)) return [];
    const known = [...references.keys()].join(", ") || "none";
    return [
      {
        path: ["storage", index, "from"],
        message: `${JSON.stringify(from)} is no storage of this file; storages: ${known}`,
      },
    ];
  });
}

/** What can still be looked at in a file with faults, so that its containers' faults come in the same error. */
function lenient(raw: unknown): TeamConfig {
  const given = isMap(raw) ? raw : {};
  const map = (value: unknown): Raw => (isMap(value) ? value : {});
  const empty = { users: [], groups: [] };
  return {
    namespace: typeof given.namespace === "string" ? given.namespace : "unknown",
    createNamespace: true,
    members: { viewers: empty, sshpod: empty },
    ...pick(given, ["gateway", "frp", "storageProxy"]),
    storageDefaults: map(given.storageDefaults),
    storages: mapValues(map(given.storages), map),
    containerDefaults: map(given.containerDefaults),
    containers: mapValues(map(given.containers), map),
  };
}

function pick(given: Raw, keys: readonly string[]): Raw {
  return Object.fromEntries(keys.filter((name) => isMap(given[name])).map((name) => [name, given[name]]));
}

function mapValues<T, U>(map: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}
