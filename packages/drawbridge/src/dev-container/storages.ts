/** Storages as a container mounts them. */
import type { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import type { RaiseFault } from "../kit/fault.ts";
import { differ, type Input, known, same, text } from "../kit/input.ts";
import { reference } from "../kit/reference.ts";
import { input } from "../kit/schema.ts";
import { mountFields } from "../kubernetes/args.ts";
import { nodeGroupOf, nodeGroupScheduling, sharedGroup } from "../kubernetes/node-group.ts";
import { type PodPart, readOnlyIf } from "../kubernetes/pod.ts";
import { absolutePath } from "../kubernetes/shapes.ts";
import { type StorageRefParsed, storageRefSchema } from "../storage-accessor/ref.ts";

const mountSchema = group(
  "DevContainerStorageArgs",
  "A storage, mounted into the container.",
  {
    from: arg(
      reference(storageRefSchema, "StorageAccessor"),
      "Which: a {@link StorageAccessor}, or the `ref` of one of another stack.",
      { effect: ["restart", "opens", "closes"] },
    ),
    ...mountFields,
    mountPath: arg(input(absolutePath).optional(), "Where it is mounted.", {
      effect: ["restart"],
      default: "- `/storage/<name of the storage>`",
    }),
  },
  { shorthand: "from" },
);

export const storageMountSchema = mountSchema.transform(({ mountPath, ...mount }) => ({
  ...mount,
  mountPath: mountPath ?? text`/storage/${mount.from.name}`,
}));

export type StorageMount = z.output<typeof storageMountSchema>;

/** Volumes and mounts of a container's storages. */
export function storagePart(storages: readonly StorageMount[]): PodPart {
  return {
    volumes: storages.map(({ from }, index) => ({
      name: `storage-${index}`,
      persistentVolumeClaim: { claimName: from.claimName },
    })),
    mounts: storages.map(({ mountPath, readOnly }, index) => ({
      name: `storage-${index}`,
      mountPath,
      ...readOnlyIf(readOnly),
    })),
  };
}

/** Label and affinity that bring the container to the node on which its storages are mounted already. */
export function storageScheduling(storages: readonly StorageMount[]) {
  return nodeGroupScheduling(sharedGroup(storages.map(({ from }) => from)));
}

interface Mounting {
  namespace?: Input<string> | undefined;
  user?: { gid?: Input<number> | undefined } | undefined;
  storage?: readonly StorageMount[] | undefined;
}

/** What makes a container's storages impossible or dangerous to mount together. */
export function checkStorages(args: Mounting, fault: RaiseFault): void {
  const storages = (args.storage ?? []).map((mount) => mount?.from as StorageRefParsed | undefined);
  const gid = args.user?.gid ?? 1000;
  storages.forEach((from, index) => {
    if (from === undefined) return;
    const at = (field: string) => ["storage", index, "from", field];
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
