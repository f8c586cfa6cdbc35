/** Completes the arguments in a team's file, by its defaults and by what the file says once for all. */

import { isEmpty } from "../kit/input.ts";
import type { Secret } from "../kit/secret.ts";
import type { Subjects } from "../kubernetes/args.ts";
import type { TeamConfig } from "./schema.ts";
import { isMap, type Raw, startsWith, valueAt, withDefaults, type YamlPath } from "./yaml.ts";

/** What a team's file holds by name. */
type Part = "storages" | "containers" | "routes";

/** The keys with the arguments that all of a part share. */
const defaultsOf = {
  storages: "storageDefaults",
  containers: "containerDefaults",
  routes: "routeDefaults",
} as const satisfies Record<Part, string>;

/** What a team's file decides for all of its storages, containers and routes. */
export interface Shared {
  readonly namespace: string;
  readonly hostKeySeed: Secret;
  readonly gateway?: unknown;
  readonly frp?: unknown;
  readonly egressGateway?: unknown;
  readonly storageProxy?: unknown;
  readonly team?: unknown;
  readonly members?: { readonly sshpod?: Subjects | undefined };
}

/** What a thing's own arguments, the defaults of its kind and the namespace come to. */
const written = ({ namespace }: Shared, defaults: Raw, own: Raw) =>
  withDefaults(withDefaults({ namespace }, defaults), own);

/** Arguments of a storage. */
export function completeStorage(shared: Shared, defaults: Raw, own: Raw): Record<string, unknown> {
  const args = written(shared, defaults, own);
  if (isMap(args.browse)) {
    const { storageProxy: proxy } = shared;
    args.browse = proxy === undefined ? args.browse : withDefaults({ proxy }, args.browse);
  }
  return args;
}

/** Arguments of a container. Storages of the same file are still names in them. */
export function completeContainer(shared: Shared, defaults: Raw, own: Raw): Record<string, unknown> {
  const args = written(shared, defaults, own);
  const hasSshd = valueAt(args, ["ssh", "mode"]) !== "none";
  const { hostKey = {} } = args;
  if (hasSshd && isMap(hostKey) && hostKey.privateKey === undefined) {
    args.hostKey = withDefaults({ seed: shared.hostKeySeed }, hostKey);
  }
  if (args.root === true && args.team === undefined && shared.team !== undefined) {
    args.team = shared.team;
  }
  const { access = {}, egress } = args;
  if (isMap(access)) args.access = completeAccess(shared, hasSshd, access);
  if (isMap(egress) && egress.hosts !== undefined && shared.egressGateway !== undefined) {
    args.egress = withDefaults({ gateway: shared.egressGateway }, egress);
  }
  return args;
}

/** Arguments of a route. */
export function completeRoute(shared: Shared, defaults: Raw, own: Raw): Record<string, unknown> {
  const args = written(shared, defaults, own);
  const { access = {}, podName } = args;
  // Without the name of a pod there is no way in over the Kubernetes API.
  const around = podName === undefined ? { ...shared, members: {} } : shared;
  if (isMap(access)) args.access = completeAccess(around, true, access);
  return args;
}

/** The ways in. A container that has none of its own gets that of the team's members. */
function completeAccess({ gateway, frp, members }: Shared, hasSshd: boolean, own: Raw): Raw {
  const access: Record<string, unknown> = {
    ...(hasSshd && gateway !== undefined ? { gateway } : {}),
    ...own,
    ...(isMap(own.frp) && frp !== undefined && own.frp.external === undefined
      ? { frp: withDefaults({ server: frp }, own.frp) }
      : {}),
  };
  const isClosed = ["gateway", "frp", "sshpod"].every((way) => access[way] === undefined);
  const { users = [], groups = [] } = members?.sshpod ?? {};
  return hasSshd && isClosed && !(isEmpty(users) && isEmpty(groups))
    ? { ...access, sshpod: members?.sshpod }
    : access;
}

/** Puts references in the place of the names of storages; other references stay. */
export function withStorages(args: Raw, references: ReadonlyMap<string, unknown>): Raw {
  if (!Array.isArray(args.storage)) return args;
  const storage = args.storage.map((mount: unknown) => {
    const reference = isMap(mount) && typeof mount.from === "string" ? references.get(mount.from) : undefined;
    return reference === undefined ? mount : { ...(mount as Raw), from: reference };
  });
  return { ...args, storage };
}

/** A team's file, and what of it is for all. */
export interface Context {
  readonly team: TeamConfig;
  readonly shared: Shared;
}

export const teamKey = "drawbridge:team";

/** Where a value of complete arguments was written: in the thing itself, in the defaults, or once for all. */
export function writtenAt(part: Part, name: string, { team, shared }: Context): (path: YamlPath) => YamlPath {
  const own = team[part][name];
  const defaults = team[defaultsOf[part]];
  const once: readonly (readonly [start: YamlPath, value: unknown, place: YamlPath])[] = [
    [["namespace"], shared.namespace, [teamKey, "namespace"]],
    [["access", "gateway"], shared.gateway, [teamKey, "gateway"]],
    [["access", "frp", "server"], shared.frp, [teamKey, "frp"]],
    [["egress", "gateway"], shared.egressGateway, [teamKey, "egressGateway"]],
    [["team"], shared.team, [teamKey, "team"]],
    [["browse", "proxy"], shared.storageProxy, [teamKey, "storageProxy"]],
    [["hostKey", "seed"], shared.hostKeySeed, ["drawbridge:hostKeySeed"]],
  ];
  return (path) => {
    const isWritten = valueAt(own, path) !== undefined || valueAt(defaults, path) !== undefined;
    const from = isWritten ? undefined : once.find(([start, value]) => isPart(start, path, value));
    if (from !== undefined) return [...from[2], ...path.slice(from[0].length)];
    // A missing value is expected where more of its path was written.
    return depth(defaults, path) > depth(own, path)
      ? [teamKey, defaultsOf[part], ...path]
      : [teamKey, part, name, ...path];
  };
}

/** Whether the shared `value`, which is at `start`, has something at a path. */
function isPart(start: YamlPath, path: YamlPath, value: unknown): boolean {
  return startsWith(path, start) && valueAt(value, path.slice(start.length)) !== undefined;
}

/** How many parts of the path are there. */
function depth(value: unknown, path: YamlPath): number {
  const missing = path.findIndex((_, index) => valueAt(value, path.slice(0, index + 1)) === undefined);
  return missing < 0 ? path.length : missing;
}
