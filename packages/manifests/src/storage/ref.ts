/** What a container needs to know of a storage that it mounts: plain names, so a team can preview before it exists. */
import { z } from "zod";
import { oneOf, placed, strict } from "../common/schema.ts";
import { dnsLabel, objectName, whole } from "../common/shapes.ts";
import { AccessMode } from "../common/volume.ts";
import { maximumStorageName } from "./names.ts";

/** A storage's name becomes part of a Service's name and of a path. */
export const storageName = z
  .string()
  .refine((value) => /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(value) && value.length <= maximumStorageName, {
    error: (issue) =>
      `${JSON.stringify(issue.input)} is not usable as a storage's name; use at most ${maximumStorageName} lower-case letters, digits and inner hyphens, starting with a letter`,
  });

export const groupId = whole(1, 2_000_000_000, "group ids");

export const storageRefSchema = strict({
  name: storageName,
  namespace: dnsLabel,
  claimName: placed(objectName),
  accessMode: oneOf(AccessMode).default("ReadWriteOnce"),
  nodeGroup: dnsLabel.optional(),
  gid: groupId.default(1000),
});

export type StorageRefParsed = z.output<typeof storageRefSchema>;
