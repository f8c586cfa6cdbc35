/** Schemas of what a container runs on: GPUs and volumes. */
import { arg, group } from "../common/arg.ts";
import { AccessMode, mountFields } from "../common/args.ts";
import { oneOf, placed } from "../common/schema.ts";
import { labelValue, objectName, qualifiedName, size, whole } from "../common/shapes.ts";

export const defaultResources = { requests: { cpu: "1", memory: "2Gi" }, limits: { memory: "2Gi" } } as const;

export const volumeSchema = group(
  "DevContainerVolumeArgs",
  "A volume of the container. Its claim is kept when the container is removed.",
  {
    size: arg(placed(size).default("20Gi"), "Size; a larger one is accepted in place, a smaller one never.", {
      effect: ["cost"],
    }),
    storageClassName: arg(placed(objectName).optional(), "StorageClass.", {
      default: "- the cluster's default class",
    }),
    accessMode: arg(oneOf(AccessMode).default("ReadWriteOnce"), "How the volume may be mounted."),
    claimName: arg(
      placed(objectName).optional(),
      "Name of a claim that exists already: adopted as it is, never changed and never deleted. So a " +
        "container that was removed comes back with its data.",
      { effect: ["restart", "opens", "closes"], default: "- a claim of the container's own" },
    ),
  },
  { effect: ["data"] },
).prefault({});

export const gpuSchema = group(
  "DevContainerGpuArgs",
  "GPUs of one kind.",
  {
    count: arg(whole(1, 64, "GPUs"), "How many.", { effect: ["restart", "cost"] }),
    resource: arg(
      qualifiedName.default("nvidia.com/gpu"),
      "The resource's name; a MIG slice has its own, such as `nvidia.com/mig-1g.10gb`.",
    ),
    product: arg(placed(labelValue).optional(), "The product, as NVIDIA's feature discovery labels nodes.", {
      default: "- any",
      example: '"NVIDIA-A100-SXM4-80GB"',
    }),
  },
  { effect: ["restart"] },
);

export const mountSchema = group(
  "DevContainerMountArgs",
  "A volume that exists already, mounted into the container.",
  {
    claimName: arg(placed(objectName), "Name of the claim, in the container's namespace.", {
      effect: ["restart", "opens", "closes"],
    }),
    ...mountFields,
  },
);

export const secretFilesSchema = group(
  "DevContainerSecretFilesArgs",
  "A Secret that exists already, mounted as a folder of files that only the user can read.",
  {
    secretName: arg(placed(objectName), "Name of the Secret, in the container's namespace.", {
      effect: ["restart", "opens", "closes"],
    }),
    mountPath: mountFields.mountPath,
  },
);
