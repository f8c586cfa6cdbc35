/** Schemas of what a container runs on: GPUs and volumes. */
import { z } from "zod";
import { oneOf, placed, strict } from "../common/schema.ts";
import { absolutePath, labelValue, objectName, qualifiedName, quantity, whole } from "../common/shapes.ts";
import { AccessMode } from "../common/volume.ts";

export const volumeSchema = strict({
  size: placed(quantity).default("20Gi"),
  storageClassName: placed(objectName).optional(),
  accessMode: oneOf(AccessMode).default("ReadWriteOnce"),
  claimName: placed(objectName).optional(),
}).prefault({});

export const gpuSchema = strict({
  count: whole(1, 64, "GPUs"),
  resource: qualifiedName.default("nvidia.com/gpu"),
  product: placed(labelValue).optional(),
});

export const mountSchema = strict({
  claimName: placed(objectName),
  mountPath: absolutePath,
  readOnly: z.boolean().default(false),
});

export const secretFilesSchema = strict({ secretName: placed(objectName), mountPath: absolutePath });
