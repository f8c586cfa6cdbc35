/** Schemas of what a container runs on: GPUs, and volumes with their mounts. */
import { z } from "zod";
import { arg, group, offByDefault, PlainReason } from "../kit/arg.ts";
import { taking } from "../kit/guard.ts";
import { exactlyOne, input, oneOf } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import { AccessMode, mountFields } from "../kubernetes/args.ts";
import { resourcesFields } from "../kubernetes/resources.ts";
import {
  absolutePath,
  dataKey,
  dnsLabel,
  labelValue,
  objectName,
  qualifiedName,
  size,
} from "../kubernetes/shapes.ts";

export const defaultResources = { requests: { cpu: "1", memory: "2Gi" }, limits: { memory: "2Gi" } } as const;

const volumeFields = group(
  "DevContainerVolumeArgs",
  "A volume of the container. Its claim is kept when the container is removed.",
  {
    size: arg(input(size).default("20Gi"), "Size; a larger one is accepted in place, a smaller one never.", {
      effect: ["cost"],
    }),
    storageClassName: arg(input(objectName).optional(), "StorageClass.", {
      default: "- the cluster's default class",
    }),
    accessMode: arg(input(oneOf(AccessMode)).default("ReadWriteOnce"), "How the volume may be mounted."),
    claimName: arg(
      input(objectName).optional(),
      "Name of a claim that exists already: adopted as it is, never changed and never deleted. So a " +
        "container that was removed comes back with its data.",
      { effect: ["restart", "opens", "closes"], default: "- a claim of the container's own", guard: taking },
    ),
  },
  { effect: ["data"] },
);

export const volumeSchema = volumeFields.prefault({});

export const persistSchema = group(
  "DevContainerPersistArgs",
  "Paths outside home that last too, and their volume, which is made only if there are any.",
  {
    paths: arg(
      z.array(input(absolutePath)).default([]),
      "The paths. Each is filled from the image at the first start; from then on the volume's content wins, also " +
        "over a newer image's.",
      { effect: ["restart"], example: '["/opt/conda"]' },
    ),
    ...volumeFields.shape,
  },
  { effect: ["data"], extends: ["DevContainerVolumeArgs"] },
).prefault({});

const gpuSchema = group(
  "DevContainerGpuArgs",
  "GPUs of one kind.",
  {
    count: arg(input(whole(1, 64, "GPUs"), "a whole number"), "How many.", { effect: ["restart", "cost"] }),
    resource: arg(
      qualifiedName.default("nvidia.com/gpu"),
      "The resource's name; a MIG slice has its own, such as `nvidia.com/mig-1g.10gb`.",
      { plain: PlainReason.form },
    ),
    product: arg(input(labelValue).optional(), "The product, as NVIDIA's feature discovery labels nodes.", {
      default: "- any",
      example: '"NVIDIA-A100-SXM4-80GB"',
    }),
  },
  { effect: ["restart"] },
);

export const containerResourcesSchema = group(
  "DevContainerResourcesArgs",
  "What the container gets of its node.",
  {
    ...resourcesFields.shape,
    gpu: arg(gpuSchema.optional(), "GPUs.", { default: "- none" }),
    sharedMemory: arg(input(size).optional(), "Size of /dev/shm. What lies in it counts as memory.", {
      default: "- half the memory",
    }),
    ephemeralStorage: arg(
      input(size).optional(),
      "Disk outside the volumes (the image's writable layer, logs), set aside and limit: beyond it the " +
        "pod is evicted.",
      { default: "- no limit" },
    ),
  },
  { extends: ["ResourcesArgs"] },
).prefault({});

export const mountSchema = group(
  "DevContainerMountArgs",
  "A volume that exists already, mounted into the container.",
  {
    claimName: arg(input(objectName), "Name of the claim, in the container's namespace.", {
      effect: ["restart", "opens", "closes"],
      guard: "daily",
    }),
    ...mountFields,
  },
);

export const secretFilesSchema = group(
  "DevContainerSecretFilesArgs",
  "A Secret that exists already, mounted as a folder of files that only the user can read.",
  {
    secretName: arg(input(objectName), "Name of the Secret, in the container's namespace.", {
      effect: ["restart", "opens", "closes"],
      guard: "daily",
    }),
    mountPath: mountFields.mountPath,
  },
);

/** Its fields are those of a pod, and the API server checks them. */
export const asInPod = input(z.record(z.string(), z.unknown()), "an object").optional();

const optional = input(z.boolean()).optional();
const items = z
  .array(
    group("DevContainerKeyToPathArgs", "A key as a file.", {
      key: arg(input(dataKey), "The key."),
      path: arg(input(z.string()), "The file, below the mount."),
      mode: arg(input(whole(0, 0o777, "mode bits")).optional(), "Its mode bits, as a number.", {
        default: "0o644",
      }),
    }),
  )
  .optional();

/** Where a volume comes from: the kinds that Pod Security "restricted" allows. */
const volumeSources = {
  persistentVolumeClaim: arg(
    group("DevContainerClaimSourceArgs", "A claim that exists.", {
      claimName: arg(input(objectName), "Its name."),
      readOnly: arg(optional, "Whether nobody can write to it.", { default: "false" }),
    }).optional(),
    "A claim that exists. The container's own mounts of one are shorter in `mounts`.",
  ),
  configMap: arg(
    group("DevContainerConfigMapSourceArgs", "A ConfigMap as files.", {
      name: arg(input(objectName), "Its name."),
      items: arg(items, "Which keys.", { default: "- all, each in a file of its name" }),
      optional: arg(optional, "Whether the container starts without it.", { default: "false" }),
    }).optional(),
    "A ConfigMap as files.",
  ),
  secret: arg(
    group("DevContainerSecretSourceArgs", "A Secret as files.", {
      secretName: arg(input(objectName), "Its name."),
      items: arg(items, "Which keys.", { default: "- all, each in a file of its name" }),
      optional: arg(optional, "Whether the container starts without it.", { default: "false" }),
    }).optional(),
    "A Secret as files that everybody in the pod reads; `secretFiles` lets only the user.",
  ),
  csi: arg(asInPod, "A driver of the cluster's, such as the secrets store, as in a pod."),
  ephemeral: arg(
    asInPod,
    "A volume that lives as long as the pod: `{ volumeClaimTemplate: … }`, as in a pod.",
  ),
  emptyDir: arg(asInPod, "An empty folder that lives as long as the pod, as in a pod."),
  projected: arg(
    asInPod,
    "Several sources in one folder, as in a pod. A token of the Kubernetes API needs `serviceAccount.token`.",
  ),
  downwardAPI: arg(asInPod, "Fields of the pod as files, as in a pod."),
};

export const podVolumesSchema = z
  .array(
    exactlyOne(
      group(
        "DevContainerPodVolumeArgs",
        'A volume of the pod, with exactly one source. They are those that Pod Security "restricted" ' +
          "allows: NFS goes into a PersistentVolume, whose claim is mounted.",
        {
          name: arg(dnsLabel, "Its name, for `volumeMounts`.", { plain: PlainReason.matched }),
          ...volumeSources,
        },
      ),
      ...Object.keys(volumeSources),
    ),
  )
  .default([]);

export const volumeMountsSchema = z
  .array(
    group("DevContainerVolumeMountArgs", "Where a volume of `pod.volumes` is mounted.", {
      name: arg(dnsLabel, "The volume's name; in init containers and sidecars also `home`.", {
        plain: PlainReason.matched,
      }),
      mountPath: arg(input(absolutePath), "Where it is mounted."),
      subPath: arg(input(z.string()).optional(), "Which folder of the volume.", {
        default: "- the whole volume",
      }),
      readOnly: offByDefault("Whether the container cannot write to it."),
    }),
  )
  .default([]);
