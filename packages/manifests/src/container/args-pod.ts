/** Schemas of what a container's pod holds besides ours: as in a pod, without what would break the container's promises. */
import { z } from "zod";
import { ImagePullPolicy } from "../common/image.ts";
import { patchSchema } from "../common/patch.ts";
import { resourcesSchema } from "../common/resources.ts";
import { byName, oneOf, placed, strict } from "../common/schema.ts";
import {
  absolutePath,
  dataKey,
  dnsLabel,
  envName,
  imageReference,
  objectName,
  port,
  qualifiedName,
  whole,
} from "../common/shapes.ts";

// What is deeper is as in a pod, and the API server's to check.
const asInPod = z.record(z.string(), z.unknown()).optional();

/** An object in which exactly one of the fields is given. */
function exactlyOne<S extends z.ZodObject>(schema: S, ...fields: string[]): S {
  return schema.refine((value) => fields.filter((field) => value[field] !== undefined).length === 1, {
    error: `needs exactly one of ${new Intl.ListFormat("en").format(fields)}`,
    // Not beside an unknown key, which may have meant one of them.
    when: ({ issues }) => issues.length === 0,
  });
}

const optional = z.boolean().optional();
const keyOf = strict({ name: placed(objectName), key: dataKey, optional }).optional();

const envSources = {
  secretKeyRef: keyOf,
  configMapKeyRef: keyOf,
  fieldRef: strict({ fieldPath: z.string() }).optional(),
  resourceFieldRef: strict({ containerName: z.string().optional(), resource: z.string() }).optional(),
};

const envSource = exactlyOne(strict(envSources), ...Object.keys(envSources));

/** Beside `env`, because a value that is a text or an object has no type in other languages. */
export const envValueFromSchema = z.record(envName, envSource).default({}).transform(byName);

const environmentValue = z.string().refine((value) => !/[\r\n\0]/.test(value), {
  error: "holds a line break, which cannot be passed into an SSH session; mount it as a file instead",
});

export const envSchema = z.record(envName, placed(environmentValue)).default({}).transform(byName);

export type EnvSources = z.output<typeof envValueFromSchema>;

const envObject = strict({ name: placed(objectName), optional }).optional();

export const envFromSchema = z
  .array(
    exactlyOne(
      strict({ prefix: envName.optional(), secretRef: envObject, configMapRef: envObject }),
      "secretRef",
      "configMapRef",
    ),
  )
  .default([]);

const items = z
  .array(strict({ key: dataKey, path: z.string(), mode: whole(0, 0o777, "mode bits").optional() }))
  .optional();

/** Where a volume comes from: the kinds that Pod Security "restricted" allows. */
const volumeSources = {
  persistentVolumeClaim: strict({ claimName: placed(objectName), readOnly: optional }).optional(),
  configMap: strict({ name: placed(objectName), items, optional }).optional(),
  secret: strict({ secretName: placed(objectName), items, optional }).optional(),
  csi: asInPod,
  ephemeral: asInPod,
  emptyDir: asInPod,
  projected: asInPod,
  downwardAPI: asInPod,
};

export const podVolumesSchema = z
  .array(exactlyOne(strict({ name: dnsLabel, ...volumeSources }), ...Object.keys(volumeSources)))
  .default([]);

export const volumeMountsSchema = z
  .array(
    strict({
      name: dnsLabel,
      mountPath: absolutePath,
      subPath: z.string().optional(),
      readOnly: z.boolean().default(false),
    }),
  )
  .default([]);

/** A further container of the pod. */
const helperSchema = strict({
  name: dnsLabel,
  image: placed(imageReference),
  imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
  command: z.array(z.string()).default([]),
  args: z.array(z.string()).default([]),
  workingDir: absolutePath.optional(),
  env: envSchema,
  envValueFrom: envValueFromSchema,
  envFrom: envFromSchema,
  resources: resourcesSchema,
  volumeMounts: volumeMountsSchema,
  securityContext: strict({
    readOnlyRootFilesystem: z.boolean().optional(),
    runAsUser: whole(1, 2_000_000_000, "user ids").optional(),
    runAsGroup: whole(1, 2_000_000_000, "group ids").optional(),
  }).prefault({}),
});

export const helpersSchema = z.array(helperSchema).default([]);

export const sidecarsSchema = z
  .array(
    helperSchema.extend({
      ports: z.array(strict({ name: dnsLabel.optional(), containerPort: port })).default([]),
      startupProbe: asInPod,
      livenessProbe: asInPod,
      readinessProbe: asInPod,
    }),
  )
  .default([]);

export type Helper = z.output<typeof helperSchema> & Partial<z.output<typeof sidecarsSchema>[number]>;

export const serviceAccountSchema = strict({
  name: placed(objectName).optional(),
  create: z.boolean().default(false),
  annotations: z.record(qualifiedName, placed(z.string())).default({}),
  token: z.boolean().default(false),
}).prefault({});

export const patchesSchema = strict({
  workload: patchSchema,
  service: patchSchema,
  home: patchSchema,
  persist: patchSchema,
  disruption: patchSchema,
  network: patchSchema,
  authorizedKeys: patchSchema,
  hostKey: patchSchema,
  sshd: patchSchema,
  route: patchSchema,
  sshpod: patchSchema,
  sshpodBinding: patchSchema,
}).prefault({});
