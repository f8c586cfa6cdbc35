/** What a storage gives out: to containers its ref, to people where it stands and where its files are. */
import { z } from "zod";
import { arg, group } from "../kit/arg.ts";

import { versionField } from "../kit/reference.ts";
import { input, oneOf, optionalInput } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import { AccessMode } from "../kubernetes/args.ts";
import { dnsLabel, objectName } from "../kubernetes/shapes.ts";
import { storageStatusSchema } from "./status.ts";

// With every suffix a name is still a DNS label, so that none is ever cut.
const maximumStorageName = 50;

/** A storage's name becomes part of a Service's name and of a path. */
export const storageName = z
  .string()
  .refine(
    (value) => /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(value) && value.length <= maximumStorageName,
    `{{value}} is not usable as a storage's name; use at most ${maximumStorageName} lower-case letters, digits and inner hyphens, starting with a letter`,
  );

export const groupId = whole(1, 2_000_000_000, "group ids");

export const storageRefSchema = group(
  "StorageRefArgs",
  "What a container must know of a storage that it mounts.",
  {
    ...versionField,
    name: arg(input(storageName), "The storage's name."),
    namespace: arg(input(dnsLabel), "Its namespace, which must be the container's.", {
      effect: ["data", "opens"],
      guard: "daily",
    }),
    claimName: arg(input(objectName), "Name of its claim."),
    accessMode: arg(input(oneOf(AccessMode)).default("ReadWriteOnce"), "How the volume may be mounted."),
    colocationGroup: arg(optionalInput(dnsLabel), "Pods with the same group share a node.", {
      default: "the storage's name",
    }),
    gid: arg(input(groupId, "a number").default(1000), "The group that owns the files."),
  },
  { effect: [] },
);

export type StorageRefParsed = z.output<typeof storageRefSchema>;

/** Marks a storage among the outputs of a stack. */
export const storageTargetKind = "drawbridge/storage-target/v1";

export const storageTargetSchema = group(
  "StorageTarget",
  "What the `drawbridge` command lists of a storage. It holds no secret.",
  {
    kind: arg(z.literal(storageTargetKind), "Marks it among a stack's outputs."),
    name: arg(storageName, "The storage's name."),
    namespace: arg(dnsLabel, "Its namespace."),
    status: arg(storageStatusSchema, "Its state when Pulumi last looked."),
    url: arg(
      z.url({ protocol: /^https?$/, error: "is not an http address" }).optional(),
      "Where its files are seen; absent without a file server.",
    ),
  },
  { isOutput: true },
);

export type StorageTarget = z.output<typeof storageTargetSchema>;
