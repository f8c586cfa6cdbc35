/** Schemas of what a container runs on: resources, placement and volumes. */
import { z } from "zod";
import { oneOf, strict } from "../common/schema.ts";
import { absolutePath, labelValue, objectName, qualifiedName, quantity, whole } from "../common/shapes.ts";
import { tolerationsSchema } from "../common/toleration.ts";
import { AccessMode } from "../common/volume.ts";

export const volumeSchema = strict({
  size: quantity.default("20Gi"),
  storageClass: objectName.optional(),
  accessMode: oneOf(AccessMode).default("ReadWriteOnce"),
  claim: objectName.optional(),
}).prefault({});

export const resourcesSchema = strict({
  cpu: quantity.default("1"),
  cpuLimit: quantity.optional(),
  memory: quantity.default("2Gi"),
  ephemeralStorage: quantity.optional(),
  sharedMemory: quantity.optional(),
  gpu: strict({
    count: whole(1, 64, "GPUs"),
    resource: qualifiedName.default("nvidia.com/gpu"),
    product: labelValue.optional(),
    runtimeClass: objectName.optional(),
  }).optional(),
}).prefault({});

export const schedulingSchema = strict({
  nodeSelector: z.record(qualifiedName, labelValue).default({}),
  tolerations: tolerationsSchema,
  zones: z.array(labelValue).default([]),
  priorityClass: objectName.optional(),
}).prefault({});

export const mountSchema = strict({
  claim: objectName,
  mountPath: absolutePath,
  readOnly: z.boolean().default(false),
});

export const secretFilesSchema = strict({ secret: objectName, mountPath: absolutePath });
