/** From what a team writes to the complete arguments of components: defaults, and what its file says once for all. */
import { isMap, type Raw, valueAt, withDefaults } from "./merge.ts";
import type { YamlPath } from "./paths.ts";

/** What a team's file decides for all of its storages and containers. */
export interface Shared {
  readonly namespace: string;
  readonly hostKeySeed: string;
  readonly gateway?: unknown;
  readonly frp?: unknown;
  readonly storageProxy?: unknown;
}

/** Arguments of a storage. */
export function completeStorage(shared: Shared, defaults: Raw, own: Raw): Record<string, unknown> {
  const args: Record<string, unknown> = withDefaults(
    withDefaults({ namespace: shared.namespace }, defaults),
    own,
  );
  if (isMap(args.accessor) && shared.storageProxy !== undefined) {
    args.accessor = withDefaults({ proxy: shared.storageProxy }, args.accessor);
  }
  return args;
}

/** Arguments of a container. Its storages are still names where they stand in the same file. */
export function completeContainer(shared: Shared, defaults: Raw, own: Raw): Record<string, unknown> {
  const args: Record<string, unknown> = withDefaults(
    withDefaults({ namespace: shared.namespace }, defaults),
    own,
  );
  const hasSshd = valueAt(args, ["sshd", "mode"]) !== "none";
  if (hasSshd && args.gateway === undefined && shared.gateway !== undefined) args.gateway = shared.gateway;
  if (hasSshd && valueAt(args, ["hostKey", "privateKey"]) === undefined) {
    args.hostKey = withDefaults({ seed: shared.hostKeySeed }, isMap(args.hostKey) ? args.hostKey : {});
  }
  if (isMap(args.access) && isMap(args.access.frp) && isMap(shared.frp)) {
    args.access = { ...args.access, frp: withDefaults(shared.frp, args.access.frp) };
  }
  return args;
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

/** Where a value of complete arguments was written: in the thing itself, in the defaults, or once for all. */
export function writtenAt(
  key: string,
  map: "storages" | "containers",
  name: string,
  { own, defaults }: { own: Raw; defaults: Raw },
): (path: YamlPath) => YamlPath {
  const shared: readonly (readonly [YamlPath, YamlPath])[] = [
    [["namespace"], [key, "namespace"]],
    [["gateway"], [key, "gateway"]],
    [
      ["access", "frp"],
      [key, "frp"],
    ],
    [
      ["accessor", "proxy"],
      [key, "storageProxy"],
    ],
    [["hostKey", "seed"], ["drawbridge:hostKeySeed"]],
  ];
  return (path) => {
    const here = [key, map, name, ...path];
    if (valueAt(own, path) !== undefined) return here;
    if (valueAt(defaults, path) !== undefined) {
      return [key, map === "storages" ? "storageDefaults" : "containerDefaults", ...path];
    }
    const once = shared.find(([start]) => start.every((part, index) => path[index] === part));
    // Nobody wrote a value that is missing, so it is asked for in the thing itself.
    const isWritten = once !== undefined && path.length > 1;
    return isWritten ? [...once[1], ...path.slice(once[0].length)] : here;
  };
}
