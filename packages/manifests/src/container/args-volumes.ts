/** Schemas of a pod's volumes and of their mounts, as in a pod. */
import { z } from "zod";
import { arg, group, offByDefault } from "../common/arg.ts";
import { exactlyOne, placed } from "../common/schema.ts";
import { absolutePath, dataKey, dnsLabel, objectName, whole } from "../common/shapes.ts";

/** Its fields are those of a pod, and the API server checks them. */
export const asInPod = z.record(z.string(), z.unknown()).optional();

const optional = z.boolean().optional();
const items = z
  .array(
    group("DevContainerKeyToPathArgs", "A key as a file.", {
      key: arg(dataKey, "The key."),
      path: arg(z.string(), "The file, below the mount."),
      mode: arg(whole(0, 0o777, "mode bits").optional(), "Its mode bits, as a number.", { default: "0o644" }),
    }),
  )
  .optional();

/** Where a volume comes from: the kinds that Pod Security "restricted" allows. */
const volumeSources = {
  persistentVolumeClaim: arg(
    group("DevContainerClaimSourceArgs", "A claim that exists.", {
      claimName: arg(placed(objectName), "Its name."),
      readOnly: arg(optional, "Whether nobody can write to it.", { default: "false" }),
    }).optional(),
    "A claim that exists. The container's own mounts of one are shorter in `mounts`.",
  ),
  configMap: arg(
    group("DevContainerConfigMapSourceArgs", "A ConfigMap as files.", {
      name: arg(placed(objectName), "Its name."),
      items: arg(items, "Which keys.", { default: "- all, each in a file of its name" }),
      optional: arg(optional, "Whether the container starts without it.", { default: "false" }),
    }).optional(),
    "A ConfigMap as files.",
  ),
  secret: arg(
    group("DevContainerSecretSourceArgs", "A Secret as files.", {
      secretName: arg(placed(objectName), "Its name."),
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
        { name: arg(dnsLabel, "Its name, for `volumeMounts`."), ...volumeSources },
      ),
      ...Object.keys(volumeSources),
    ),
  )
  .default([]);

export const volumeMountsSchema = z
  .array(
    group("DevContainerVolumeMountArgs", "Where a volume of `volumes` is mounted.", {
      name: arg(dnsLabel, "The volume's name; in init containers and sidecars also `home`."),
      mountPath: arg(absolutePath, "Where it is mounted."),
      subPath: arg(z.string().optional(), "Which folder of the volume.", { default: "- the whole volume" }),
      readOnly: offByDefault("Whether the container cannot write to it."),
    }),
  )
  .default([]);
