import { didYouMean } from "../common/near.ts";
import { noWayIn } from "../container/args-checks.ts";
import { noGatewayToSleep } from "../container/idle-checks.ts";
import { peopleSchema } from "../ssh/people.ts";
import { completeContainer, completeStorage, type Shared, withStorages, writtenAt } from "./complete.ts";
import { type Fault, faultsOf, type Reading } from "./fault.ts";
import { isMap, type Raw, valueAt } from "./merge.ts";
import type { YamlPath } from "./paths.ts";
import { type NamedKeys, namesPeople, peopleOf, withKeys } from "./people.ts";
import { type PlatformOutputs, unknownOutputs } from "./platform-outputs.ts";
import { componentSchemas, type TeamConfig, teamSchema } from "./schema.ts";

/** A team stack's file; its storages and containers are complete arguments by now. */
export interface TeamStack extends TeamConfig {
  readonly kind: "team";
}

const key = "drawbridge:team";
const missingSeed =
  'is missing; set it once: pulumi config set --secret drawbridge:hostKeySeed "$(openssl rand -base64 32)"';

/** What a team's file does not hold itself. */
export interface TeamSurroundings {
  /** The secret `drawbridge:hostKeySeed`. */
  readonly hostKeySeed: string | undefined;
  /** The outputs of the platform's stack of this name. */
  platformOutputs(stack: string): Promise<PlatformOutputs>;
}

interface Context {
  readonly team: TeamConfig;
  readonly shared: Shared;
}

export async function readTeam(raw: unknown, around: TeamSurroundings): Promise<Reading<TeamStack>> {
  const faults = faultsOf(teamSchema, raw, (path) => [key, ...path]);
  const team = teamSchema.safeParse(raw).data ?? lenient(raw);
  const seed = around.hostKeySeed;
  if (seed === undefined) faults.push({ path: ["drawbridge:hostKeySeed"], message: missingSeed });
  const outputs = await outputsFor(team, around, faults);
  // With a stand-in for a missing seed, the containers' other faults come in the same error.
  const rootNamespace =
    outputs === unknownOutputs
      ? anythingAllowed(team.namespace)
      : valueAt(outputs.rootNamespaces, [team.namespace]);
  const shared: Shared = { ...outputs, rootNamespace, ...team, hostKeySeed: seed ?? "x".repeat(32) };
  const people = peopleOf([key, "people"], valueAt(raw, ["people"]), outputs, faults);
  const storages = mapValues(team.storages, (own) => completeStorage(shared, team.storageDefaults, own));
  const named = mapValues(team.containers, (own) =>
    withKeys(completeContainer(shared, team.containerDefaults, own), people),
  );
  const containers = mapValues(named, ({ args }) => args);
  const context = { team, shared };
  const ofStorages = storageFaults(storages, context);
  // Of a storage with faults nothing is said twice, in each container that mounts it.
  const references = new Map(
    Object.entries(storages).map(([name, args]) => [
      name,
      ofStorages[name]?.length === 0 ? plainReference(name, args) : unknownStorage(args),
    ]),
  );
  faults.push(...Object.values(ofStorages).flat(), ...containerFaults(named, references, context));
  return { stack: { ...team, kind: "team", storages, containers }, faults };
}

/** The platform's outputs, where the file names its stack and the outputs are needed. */
async function outputsFor(
  team: TeamConfig,
  around: TeamSurroundings,
  faults: Fault[],
): Promise<PlatformOutputs> {
  const hasAll =
    !namesPeople(team) &&
    (team.rootNamespace !== undefined || !wantsRoot(team)) &&
    team.gateway !== undefined &&
    team.frp !== undefined &&
    team.storageProxy !== undefined;
  if (team.platform === undefined || hasAll) return {};
  const outputs = await around.platformOutputs(team.platform);
  if (Object.keys(outputs).length === 0) {
    faults.push({
      path: [key, "platform"],
      message: `the stack "${team.platform}" has none of the outputs gateway, frp, storageProxy, rootNamespaces and people; name a platform stack after its first pulumi up`,
    });
  }
  return outputs;
}

function wantsRoot({ containers, containerDefaults }: TeamConfig): boolean {
  return [containerDefaults, ...Object.values(containers)].some(({ root }) => root === true);
}

function storageFaults(storages: Record<string, Raw>, { team, shared }: Context): Record<string, Fault[]> {
  return mapEntries(storages, (name, args) => {
    const own = team.storages[name] ?? {};
    const place = writtenAt(key, "storages", name, { own, defaults: team.storageDefaults, shared });
    const faults = faultsOf(componentSchemas.storages, args, place);
    if (!isMap(args.browse) || args.browse.proxy !== undefined) return faults;
    return asOneFault(faults, place(["browse"]), ["proxy"], {
      path: place(["browse"]),
      message:
        "has no proxy to stand behind; give storageProxy, or platform with the name of a stack that has one",
    });
  });
}

function containerFaults(
  containers: Record<string, NamedKeys>,
  references: ReadonlyMap<string, unknown>,
  { team, shared }: Context,
): Fault[] {
  return Object.entries(containers).flatMap(([name, { args, origin, unknownPeople }]) => {
    const own = team.containers[name] ?? {};
    const written = writtenAt(key, "containers", name, { own, defaults: team.containerDefaults, shared });
    const place = (path: YamlPath) => written(origin(path));
    const unknown = unknownStorages(args, references);
    const all = new Map([...references, ...unknown.map(({ from }) => [from, unknownStorage(args)] as const)]);
    const found = faultsOf(componentSchemas.containers, withStorages(args, all), place);
    // A way in may be what a misspelt key was meant to give.
    const isMisspelt = found.some((fault) => fault.key !== undefined);
    const faults = [
      ...unknown.map(({ path, message }) => ({ path: place(path), message })),
      ...unknownPeople.map(({ path, message }) => ({ path: written(path), message })),
      ...found
        .filter(({ message }) => !isMisspelt || (message !== noWayIn && message !== noGatewayToSleep))
        .map((fault) =>
          fault.message === noWayIn ? closed(name, place, { own, defaults: team.containerDefaults }) : fault,
        ),
    ];
    const hasServer =
      shared.frp !== undefined || valueAt(args, ["access", "frp", "serverAddr"]) !== undefined;
    if (hasServer || !isMap(valueAt(args, ["access", "frp"]))) return faults;
    return asOneFault(
      faults,
      place(["access", "frp"]),
      ["serverAddr", "connectHost", "domainSuffix", "caBundle"],
      {
        path: place(["access", "frp"]),
        message: "has no frps; give frp, or platform with the name of a stack that has one",
      },
    );
  });
}

/** A team has more to give than a container alone. What is written of its access, and opens nothing, is where to mend it. */
function closed(
  name: string,
  place: (path: YamlPath) => YamlPath,
  { own, defaults }: Record<"own" | "defaults", unknown>,
): Fault {
  const message =
    "has no way in; give the team a gateway or members.sshpod, or this container access.gateway, access.frp or access.sshpod";
  const isWritten = [own, defaults].some((args) => valueAt(args, ["access"]) !== undefined);
  return { path: isWritten ? place(["access"]) : [key, "containers", name], message };
}

/** Puts one fault in the place of those that say of single `fields` of a group that they are missing. */
function asOneFault(
  faults: readonly Fault[],
  group: YamlPath,
  fields: readonly string[],
  instead: Fault,
): Fault[] {
  const isMissing = ({ path, message }: Fault) =>
    path.length === group.length + 1 &&
    group.every((part, index) => path[index] === part) &&
    fields.includes(String(path.at(-1))) &&
    message.startsWith("is missing");
  const others = faults.filter((fault) => !isMissing(fault));
  return others.length === faults.length ? others : [...others, instead];
}

/** What checks need to know of a storage; the storage itself gives out the same when it is registered. */
function plainReference(name: string, args: Raw): unknown {
  const { nodeGroup, accessMode, owner, namespace } = args;
  return {
    name: String(args.name ?? name),
    namespace: String(namespace),
    claimName: `${name}-storage`,
    ...(accessMode === undefined ? {} : { accessMode }),
    ...(nodeGroup === undefined ? {} : { nodeGroup }),
    ...(valueAt(owner, ["gid"]) === undefined ? {} : { gid: valueAt(owner, ["gid"]) }),
  };
}

/** In the place of a storage of which nothing is known. */
function unknownStorage({ namespace }: Raw): unknown {
  return { name: "unknown", namespace, claimName: "unknown" };
}

function unknownStorages(args: Raw, references: ReadonlyMap<string, unknown>) {
  if (!Array.isArray(args.storage)) return [];
  return args.storage.flatMap((mount: unknown, index: number) => {
    const from = valueAt(mount, ["from"]);
    if (typeof from !== "string" || references.has(from)) return [];
    const known = [...references.keys()];
    return [
      {
        from,
        path: ["storage", index, "from"] as YamlPath,
        message: `${JSON.stringify(from)} is no storage of this file${didYouMean(from, known) || `; storages: ${known.join(", ") || "none"}`}`,
      },
    ];
  });
}

/** Where nobody knows what the platform allows, it is not said that it does not. */
const anythingAllowed = (namespace: string) => ({ namespace, containersInside: true });

/** What can still be looked at in a file with faults, so that its containers' faults come in the same error. */
function lenient(raw: unknown): TeamConfig {
  const given = isMap(raw) ? raw : {};
  const map = (value: unknown): Raw => (isMap(value) ? value : {});
  const empty = { users: [], groups: [] };
  const namespace = teamSchema.shape.namespace.safeParse(given.namespace).data ?? "unknown";
  const { rootNamespace } = teamSchema.shape;
  return {
    namespace,
    createNamespace: true,
    members: { viewers: empty, sshpod: empty },
    people: peopleSchema.safeParse(given.people).data ?? {},
    ...(references(given) as Partial<TeamConfig>),
    ...(given.rootNamespace === undefined
      ? {}
      : { rootNamespace: rootNamespace.safeParse(given.rootNamespace).data ?? anythingAllowed(namespace) }),
    storageDefaults: map(given.storageDefaults),
    storages: mapValues(map(given.storages), map),
    containerDefaults: map(given.containerDefaults),
    containers: mapValues(map(given.containers), map),
  };
}

/** What all containers share, where it is right; where it is not, something that is, so that it is at fault once. */
function references(given: Raw): PlatformOutputs {
  const { gateway, frp, storageProxy } = teamSchema.shape;
  const schemas = { gateway, frp, storageProxy };
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) =>
      given[name] === undefined
        ? []
        : [
            [
              name,
              schema.safeParse(given[name]).success
                ? given[name]
                : unknownOutputs[name as keyof PlatformOutputs],
            ],
          ],
    ),
  );
}

function mapValues<T, U>(map: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return mapEntries(map, (_, value) => change(value));
}

function mapEntries<T, U>(
  map: Readonly<Record<string, T>>,
  change: (name: string, value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(name, value)]));
}
