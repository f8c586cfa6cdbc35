import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import { AccessMode } from "../common/args.ts";
import { says } from "../common/fault.ts";
import { versionField } from "../common/reference.ts";
import { oneOf, placed, placedIfAny } from "../common/schema.ts";
import { dnsLabel, objectName, whole } from "../common/shapes.ts";
import { maximumStorageName } from "./names.ts";

/** A storage's name becomes part of a Service's name and of a path. */
export const storageName = z
  .string()
  .refine(
    (value) => /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(value) && value.length <= maximumStorageName,
    says("not-a-storage-name", { most: maximumStorageName }),
  );

export const groupId = whole(1, 2_000_000_000, "group ids");

export const storageRefSchema = group(
  "StorageRefArgs",
  "What a container must know of a storage that it mounts.",
  {
    ...versionField,
    name: arg(placed(storageName), "The storage's name."),
    namespace: arg(placed(dnsLabel), "Its namespace, which must be the container's.", { effect: ["data"] }),
    claimName: arg(placed(objectName), "Name of its claim."),
    accessMode: arg(placed(oneOf(AccessMode)).default("ReadWriteOnce"), "How the volume may be mounted."),
    colocationGroup: arg(placedIfAny(dnsLabel), "Pods with the same group share a node.", {
      default: "the storage's name",
    }),
    gid: arg(placed(groupId, "a number").default(1000), "The group that owns the files."),
  },
  { effect: [] },
);

export type StorageRefParsed = z.output<typeof storageRefSchema>;
