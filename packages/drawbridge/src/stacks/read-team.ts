import { peopleSchema } from "../host/keys/people.ts";
import { type Kind, listed, orMeant } from "../kit/fault.ts";
import { Secret } from "../kit/secret.ts";
import { nearest } from "../kit/suggestion.ts";
import { taken } from "../kubernetes/descriptor.ts";
import { compact } from "../kubernetes/manifest.ts";
import {
  type Context,
  completeContainer,
  completeRoute,
  completeStorage,
  type Shared,
  teamKey,
  withStorages,
  writtenAt,
} from "./complete.ts";
import { faultsOf, fileFaults, type Reading, type StackFault } from "./fault.ts";
import { type NamedKeys, peopleIn, peopleOf, withKeys } from "./people.ts";
import { type PlatformOutputs, unknownOutputs } from "./read-platform.ts";
import { componentNames, componentSchemas, type TeamConfig, teamFileSchema } from "./schema.ts";
import { noSeed } from "./secrets.ts";
import { asMap, isMap, type Raw, showPath, valueAt, type YamlPath } from "./yaml.ts";

/** A team stack's file; its storages, containers and routes are complete arguments by now. */
export interface TeamStack extends TeamConfig {
  readonly kind: "team";
}

const seedKey = "drawbridge:hostKeySeed";

/** What a team's file does not hold itself. */
export interface TeamSurroundings {
  /** The secret `drawbridge:hostKeySeed`. */
  readonly hostKeySeed: Secret | undefined;
  /** The outputs of the platform's stack of this name. */
  platformOutputs(stack: string): Promise<PlatformOutputs>;
}

export async function readTeam(raw: unknown, around: TeamSurroundings): Promise<Reading<TeamStack>> {
  const faults = fileFaults(teamFileSchema, raw, teamKey);
  const given = faults.length === 0 ? raw : corrected(raw, faults);
  const team = teamFileSchema.safeParse(given).data ?? lenient(given);
  const seed = around.hostKeySeed;
  if (seed === undefined) faults.push({ path: [seedKey], message: noSeed(seedKey) });
  // Where a field that may give a way in is at fault, outputs count as unknown: a missing way in is no second fault.
  const outputs = isUnsure(given) ? unknownOutputs : await outputsFor(team, around, faults);
  // With a stand-in for a missing seed, the containers' other faults come in the same error.
  const ref =
    outputs === unknownOutputs ? anythingAllowed(team.namespace) : valueAt(outputs.teams, [team.namespace]);
  const shared: Shared = { ...outputs, team: ref, ...team, hostKeySeed: seed ?? new Secret() };
  const people = peopleOf([teamKey, "people"], valueAt(given, ["people"]), outputs, faults);
  const storages = mapValues(team.storages, (own) => completeStorage(shared, team.storageDefaults, own));
  const named = mapValues(team.containers, (own) =>
    withKeys(completeContainer(shared, team.containerDefaults, own), people),
  );
  const containers = mapValues(named, ({ args }) => args);
  const routes = mapValues(team.routes, (own) => completeRoute(shared, team.routeDefaults, own));
  const context = { team, shared };
  const ofStorages = storageFaults(storages, context);
  // A storage with faults is not at fault again in each container that mounts it.
  const references = new Map(
    Object.entries(storages).map(([name, args]) => [
      name,
      ofStorages[name]?.length === 0 ? plainReference(name, args) : unknownStorage(args),
    ]),
  );
  faults.push(...Object.values(ofStorages).flat(), ...containerFaults(named, references, context));
  faults.push(...routeFaults(routes, containers, context));
  return { stack: { ...team, kind: "team", storages, containers, routes }, faults };
}

/** The platform's outputs, where the file names its stack and the outputs are needed. */
async function outputsFor(
  team: TeamConfig,
  around: TeamSurroundings,
  faults: StackFault[],
): Promise<PlatformOutputs> {
  const containers = [team.containerDefaults, ...Object.values(team.containers)];
  const hasAll =
    containers.every((args) => peopleIn(args).length === 0) &&
    (team.team !== undefined || containers.every(({ root }) => root !== true)) &&
    team.gateway !== undefined &&
    team.frp !== undefined &&
    (team.egressGateway !== undefined ||
      containers.every(({ egress }) => valueAt(egress, ["hosts"]) === undefined)) &&
    team.storageProxy !== undefined;
  if (team.platform === undefined || hasAll) return {};
  const outputs = await around.platformOutputs(team.platform);
  if (Object.keys(outputs).length === 0) {
    const nothing = {
      message: `the stack "${team.platform}" has none of the outputs gateway, frp, egressGateway, storageProxy, teams and people; name a platform stack after its first pulumi up`,
    };
    faults.push({ path: [teamKey, "platform"], ...nothing });
  }
  return outputs;
}

function storageFaults(storages: Record<string, Raw>, context: Context): Record<string, StackFault[]> {
  return mapEntries(storages, (name, args) => {
    const place = writtenAt("storages", name, context);
    const faults = faultsOf(componentSchemas.storages, args, place, validName("storages", name));
    if (!isMap(args.browse) || args.browse.proxy !== undefined) return faults;
    const missing = showPath(place(["browse", "proxy"]));
    return faults.map((fault) =>
      showPath(fault.path) === missing
        ? {
            path: place(["browse"]),
            message: "has no proxy; set storageProxy, or platform with the name of a stack that has one",
          }
        : fault,
    );
  });
}

function containerFaults(
  containers: Record<string, NamedKeys>,
  references: ReadonlyMap<string, unknown>,
  context: Context,
): StackFault[] {
  return Object.entries(containers).flatMap(([name, { args, origin, faults }]) => {
    const written = writtenAt("containers", name, context);
    const place = (path: YamlPath) => written(origin(path));
    const unknown = unknownStorages(args, references);
    const all = new Map([...references, ...unknown.map(({ from }) => [from, unknownStorage(args)] as const)]);
    const found = faultsOf(
      componentSchemas.containers,
      withStorages(args, all),
      place,
      validName("containers", name),
    );
    const inFile = (fault: StackFault): StackFault => {
      if (fault.kind === "no-way-in") return noWayIn(name, place, context.team);
      const message = fault.kind === undefined ? undefined : elsewhereInFile[fault.kind];
      return message === undefined ? fault : { path: fault.path, message };
    };
    return [
      ...unknown.map(({ path, problem }) => ({ path: place(path), ...problem })),
      ...faults.map((fault) => ({ ...fault, path: written(fault.path) })),
      ...unlessMisspelt(found).map(inFile),
    ];
  });
}

function routeFaults(
  routes: Record<string, Raw>,
  containers: Record<string, Raw>,
  context: Context,
): StackFault[] {
  const owners = new Map(Object.entries(containers).map(([name, args]) => [args.name ?? name, name]));
  return Object.entries(routes).flatMap(([name, args]) => {
    const place = writtenAt("routes", name, context);
    const owner = owners.get(args.name ?? name);
    const isTaken = { message: taken.name(String(args.name ?? name), `the container ${owner}`) };
    return [
      ...(owner === undefined ? [] : [{ path: [teamKey, "routes", name], ...isTaken }]),
      ...unlessMisspelt(faultsOf(componentSchemas.routes, args, place, validName("routes", name))),
    ];
  });
}

/** What a team's file says in place of a container's own argument. */
const elsewhereInFile: Partial<Record<Kind, string>> = {
  "no-frp-server": "has no frps; set frp, or platform with the name of a stack that has one",
  "no-egress-gateway": "is missing; set egressGateway, or platform with the name of a stack that has one",
};

/** A name that the file's schema takes: the others are at fault already. */
const validName = (kind: keyof typeof componentNames, name: string) =>
  componentNames[kind].safeParse(name).success ? name : undefined;

/** The fault of a container without a way in. A team's file has more places for one than the container's `access`. */
function noWayIn(
  name: string,
  place: (path: YamlPath) => YamlPath,
  { containers, containerDefaults }: TeamConfig,
): StackFault {
  const isWritten = [containers[name], containerDefaults].some(
    (args) => valueAt(args, ["access"]) !== undefined,
  );
  return {
    path: isWritten ? place(["access"]) : [teamKey, "containers", name],
    message:
      "has no way in; set gateway or members.sshpod of the team, or access.gateway, access.frp or access.sshpod of this container",
  };
}

/** Leaves out that something is missing where a key is misspelt, which may have been meant to set it. */
function unlessMisspelt(found: readonly StackFault[]): StackFault[] {
  const isMisspelt = found.some(({ unknownKey }) => unknownKey !== undefined);
  return found.filter(({ kind }) => !isMisspelt || (kind !== "no-way-in" && kind !== "no-gateway"));
}

/** What checks need to know of a storage; the storage itself gives out the same when it is registered. */
function plainReference(name: string, args: Raw): unknown {
  const { colocationGroup, accessMode, owner, namespace } = args;
  return compact({
    name: String(args.name ?? name),
    namespace: String(namespace),
    claimName: `${name}-storage`,
    accessMode,
    colocationGroup,
    gid: valueAt(owner, ["gid"]),
  });
}

/** Stands for a storage of which nothing is known. */
function unknownStorage({ namespace }: Raw): unknown {
  return { name: "unknown", namespace, claimName: "unknown" };
}

function unknownStorages(args: Raw, references: ReadonlyMap<string, unknown>) {
  if (!Array.isArray(args.storage)) return [];
  return args.storage.flatMap((mount: unknown, index: number) => {
    const from = valueAt(mount, ["from"]);
    if (typeof from !== "string" || references.has(from)) return [];
    const known = [...references.keys()];
    const problem = {
      message: `"${from}" is not a storage of this file${orMeant(nearest(from, known), `; storages: ${listed(known)}`)}`,
    };
    return [{ from, path: ["storage", index, "from"] as YamlPath, problem }];
  });
}

/** Stands for what the platform allows where that is unknown, so that no fault says that it allows less. */
const anythingAllowed = (namespace: string) => ({ namespace, root: true, containersInside: true });

/** The file with its misspelt keys corrected, so that each is at fault only once. */
function corrected(raw: unknown, faults: readonly StackFault[]): unknown {
  if (!isMap(raw)) return raw;
  const meant = new Map(
    faults.flatMap(({ path, unknownKey, meant }) =>
      path.length === 1 && unknownKey !== undefined && meant !== undefined ? [[unknownKey, meant]] : [],
    ),
  );
  return {
    ...Object.fromEntries(Object.entries(raw).map(([name, value]) => [meant.get(name) ?? name, value])),
    ...raw,
  };
}

/** Whether a field that may give all containers a way in is at fault. */
function isUnsure(raw: unknown): boolean {
  const given = asMap(raw);
  const { platform, members } = teamFileSchema.shape;
  return !platform.safeParse(given.platform).success || !members.safeParse(given.members).success;
}

/** The parts of a file with faults that can still be checked, so that its containers' faults come in the same error. */
function lenient(raw: unknown): TeamConfig {
  const given = asMap(raw);
  const shared = [given.containerDefaults, given.storageDefaults, given.storages];
  // Containers can only be checked if what they build on is a map.
  const containers = shared.every((value) => value === undefined || isMap(value))
    ? asMap(given.containers)
    : {};
  const namespace = teamFileSchema.shape.namespace.safeParse(given.namespace).data ?? "unknown";
  const { team } = teamFileSchema.shape;
  return {
    namespace,
    createNamespace: true,
    members: {},
    ...(typeof given.platform === "string" && given.platform !== "" ? { platform: given.platform } : {}),
    people: peopleSchema.safeParse(given.people).data ?? {},
    ...(validReferences(given) as Partial<TeamConfig>),
    ...(given.team === undefined
      ? {}
      : { team: team.safeParse(given.team).data ?? anythingAllowed(namespace) }),
    storageDefaults: asMap(given.storageDefaults),
    storages: mapValues(asMap(given.storages), asMap),
    routeDefaults: asMap(given.routeDefaults),
    routes:
      given.routeDefaults === undefined || isMap(given.routeDefaults)
        ? mapValues(asMap(given.routes), asMap)
        : {},
    containerDefaults: asMap(given.containerDefaults),
    containers: Object.fromEntries(
      Object.entries(containers).flatMap(([name, own]) => (isMap(own) ? [[name, own]] : [])),
    ),
  };
}

/** The platform's parts that a file names. One that is at fault is replaced by a valid one, so that it is at fault only once. */
function validReferences(given: Raw): PlatformOutputs {
  const names = (["gateway", "frp", "egressGateway", "storageProxy"] as const).filter(
    (name) => given[name] !== undefined,
  );
  const valid = names.map((name) => {
    const isValid = teamFileSchema.shape[name].safeParse(given[name]).success;
    return [name, isValid ? given[name] : unknownOutputs[name]];
  });
  return Object.fromEntries(valid);
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
