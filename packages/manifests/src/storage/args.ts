/** The zod schema of StorageAccessor's arguments; the documented interfaces are in the components package. */
import { z } from "zod";
import { ImagePullPolicy } from "../common/image.ts";
import { podMetadata } from "../common/pod-metadata.ts";
import { resourcesSchema } from "../common/resources.ts";
import { schedulingSchema } from "../common/scheduling.ts";
import { across, byName, oneOf, placed, strict } from "../common/schema.ts";
import {
  absolutePath,
  dnsLabel,
  envName,
  imageReference,
  objectName,
  quantity,
  whole,
} from "../common/shapes.ts";
import { AccessMode } from "../common/volume.ts";
import { storageProxyRefSchema } from "../storage-proxy/ref.ts";
import { checkStorage } from "./args-checks.ts";
import { accessPassword, accessUser } from "./credential-shapes.ts";
import { groupId, storageName, storageRefSchema } from "./ref.ts";

/** What visitors may do besides looking and downloading. */
export const StorageAction = {
  upload: "upload",
  delete: "delete",
  search: "search",
  archive: "archive",
} as const;
export type StorageAction = (typeof StorageAction)[keyof typeof StorageAction];

/** `dufs` and Envoy as their projects publish them. */
export const defaultDufsImage = "docker.io/sigoden/dufs:v0.47.0";

const prepareSchema = strict({
  image: placed(imageReference),
  imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(envName, placed(z.string())).default({}).transform(byName),
  copyFrom: storageRefSchema.optional(),
  mountPath: absolutePath.default("/workspace"),
  revision: dnsLabel
    .refine((value) => value.length <= 12, { error: "is too long; use at most 12 characters" })
    .default("1"),
  timeLimitSeconds: whole(1, 7 * 24 * 3600, "seconds").default(3600),
  attempts: whole(1, 20, "attempts").default(3),
  resources: resourcesSchema,
});

const jwtSchema = strict({
  issuer: z.string().min(1, { error: 'is empty; give the "iss" of the tokens' }),
  audiences: z.array(z.string()).default([]),
  jwks: placed(
    z.string().refine(isKeySet, { error: 'is not a JSON Web Key Set; give its text, {"keys": […]}' }),
  ),
  claim: z
    .string()
    .regex(/^[A-Za-z0-9_:./-]+$/, { error: "is not a claim's name" })
    .default("team"),
  values: z
    .array(z.string().min(1))
    .min(1, { error: "is empty, so no token would be let in; give at least one value" }),
  write: z.boolean().default(false),
  image: placed(imageReference).optional(),
});

const browseSchema = strict({
  enabled: z.boolean().default(true),
  proxy: storageProxyRefSchema,
  allow: z.array(oneOf(StorageAction)).default([]),
  credentials: z
    .array(strict({ user: accessUser, password: placed(accessPassword), write: z.boolean().default(false) }))
    .default([]),
  jwt: jwtSchema.optional(),
  image: placed(imageReference).default(defaultDufsImage),
  imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
  resources: resourcesSchema,
});

export const storageAccessorSchema = across(
  strict({
    name: storageName.optional(),
    namespace: dnsLabel,
    size: placed(quantity).default("20Gi"),
    storageClassName: placed(objectName).optional(),
    accessMode: oneOf(AccessMode).default("ReadWriteOnce"),
    claimName: placed(objectName).optional(),
    owner: strict({
      uid: whole(1000, 2_000_000_000, "user ids").default(1000),
      gid: groupId.default(1000),
    }).prefault({}),
    nodeGroup: dnsLabel.optional(),
    scheduling: schedulingSchema,
    ...podMetadata,
    prepare: prepareSchema.optional(),
    browse: browseSchema.optional(),
    wait: z.boolean().default(true),
  }),
  checkStorage,
);

function isKeySet(text: string): boolean {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) && keys.length > 0;
  } catch {
    return false;
  }
}

export type StorageAccessorInput = z.input<typeof storageAccessorSchema>;
export type StorageAccessorParsed = z.output<typeof storageAccessorSchema>;
export type StoragePrepareParsed = z.output<typeof prepareSchema>;
export type StorageBrowseParsed = z.output<typeof browseSchema>;
