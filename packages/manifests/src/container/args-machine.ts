/** Schemas of what a container runs on: resources, placement and volumes. */
import { z } from "zod";
import { oneOf, placed, strict } from "../common/schema.ts";
import { absolutePath, labelValue, objectName, qualifiedName, quantity, whole } from "../common/shapes.ts";
import { tolerationsSchema } from "../common/toleration.ts";
import { AccessMode } from "../common/volume.ts";

export const volumeSchema = strict({
  size: placed(quantity).default("20Gi"),
  storageClass: placed(objectName).optional(),
  accessMode: oneOf(AccessMode).default("ReadWriteOnce"),
  claim: placed(objectName).optional(),
}).prefault({});

export const resourcesSchema = strict({
  cpu: placed(quantity).default("1"),
  cpuLimit: placed(quantity).optional(),
  memory: placed(quantity).default("2Gi"),
  ephemeralStorage: placed(quantity).optional(),
  sharedMemory: placed(quantity).optional(),
  gpu: strict({
    count: whole(1, 64, "GPUs"),
    resource: qualifiedName.default("nvidia.com/gpu"),
    product: placed(labelValue).optional(),
    runtimeClass: placed(objectName).optional(),
  }).optional(),
}).prefault({});

export const schedulingSchema = strict({
  nodeSelector: z.record(qualifiedName, labelValue).default({}),
  tolerations: tolerationsSchema,
  zones: z.array(labelValue).default([]),
  priorityClass: placed(objectName).optional(),
}).prefault({});

export const mountSchema = strict({
  claim: placed(objectName),
  mountPath: absolutePath,
  readOnly: z.boolean().default(false),
});

export const secretFilesSchema = strict({ secret: placed(objectName), mountPath: absolutePath });
