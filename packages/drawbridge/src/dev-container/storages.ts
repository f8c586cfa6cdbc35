/** Storages as a container mounts them. */
import type { RaiseFault } from "../kit/fault.ts";
import { differ, type Input, known, same } from "../kit/input.ts";
import { nodeGroupOf, nodeGroupScheduling, sharedGroup } from "../kubernetes/node-group.ts";
import { mountOf, type PodPart } from "../kubernetes/pod.ts";
import type { StorageRefParsed } from "../storage-accessor/ref.ts";
import type { MountsPlan } from "./args-mounts.ts";

type StorageMount = MountsPlan["storage"][number];

/** Volumes and mounts of a container's storages. */
export function storagePart(storages: readonly StorageMount[]): PodPart {
  return {
    volumes: storages.map(({ from }, index) => ({
      name: `storage-${index}`,
      persistentVolumeClaim: { claimName: from.claimName },
    })),
    mounts: storages.map((mount, index) => mountOf(`storage-${index}`, mount)),
  };
}

/** Label and affinity that bring the container to the node on which its storages are mounted already. */
export function storageScheduling(storages: readonly StorageMount[]) {
  return nodeGroupScheduling(sharedGroup(storages.map(({ from }) => from)));
}

interface Mounting {
  namespace?: Input<string> | undefined;
  user?: { gid?: Input<number> | undefined } | undefined;
  mounts?: readonly { readonly storage?: StorageRefParsed | undefined }[] | undefined;
}

/** What makes a container's storages impossible or dangerous to mount together. */
export function checkStorages(args: Mounting, fault: RaiseFault): void {
  const storages = (args.mounts ?? []).map(({ storage }) => storage);
  const gid = args.user?.gid ?? 1000;
  storages.forEach((from, index) => {
    if (from === undefined) return;
    const at = (field: string) => ["mounts", index, "storage", field];
    if (args.namespace !== undefined && differ(from.namespace, args.namespace)) {
      fault`${at("namespace")}: is "${from.namespace}", but a pod can mount volumes of its own namespace only; the container is in "${args.namespace}"`;
    }
    if (differ(from.gid, gid))
      fault`${at("gid")}: is ${from.gid}, but the container's group is ${gid}, so each start would change the group of every file; make user.gid and the storage's owner.gid the same`;
    const before = storages.slice(0, index).filter((other) => other !== undefined);
    if (before.some(({ name }) => same(name, from.name))) {
      fault`${at("name")}: "${from.name}" is mounted twice; mount each storage once`;
    }
    const group = known(nodeGroupOf(from));
    const other = before.find((one) => known(nodeGroupOf(one)) !== undefined);
    if (group !== undefined && other !== undefined && known(nodeGroupOf(other)) !== group) {
      fault`${at("colocationGroup")}: is "${group}", but "${other.name}" is in "${nodeGroupOf(other)}": their ${from.accessMode ?? "ReadWriteOnce"} volumes may be mounted on two nodes, and a container runs on one; set the same colocationGroup in both storages`;
    }
  });
}
