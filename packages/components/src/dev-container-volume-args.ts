import type * as pulumi from "@pulumi/pulumi";
import type { AsInKubernetes } from "./as-in-kubernetes.ts";

/**
 * A volume of the pod, with exactly one source. They are those that Pod Security "restricted" allows: NFS goes into a
 * PersistentVolume, whose claim is mounted.
 */
export interface DevContainerPodVolumeArgs {
  /** Its name, for `volumeMounts`. */
  name: string;
  /** A claim that exists. The container's own mounts of one are shorter in `mounts`. */
  persistentVolumeClaim?: DevContainerClaimSourceArgs;
  /** A ConfigMap as files. */
  configMap?: DevContainerConfigMapSourceArgs;
  /** A Secret as files that everybody in the pod reads; `secretFiles` lets only the user. */
  secret?: DevContainerSecretSourceArgs;
  /** A driver of the cluster's, such as the secrets store, as in a pod. */
  csi?: AsInKubernetes;
  /** A volume that lives as long as the pod: `{ volumeClaimTemplate: … }`, as in a pod. */
  ephemeral?: AsInKubernetes;
  /** An empty folder that lives as long as the pod, as in a pod. */
  emptyDir?: AsInKubernetes;
  /** Several sources in one folder, as in a pod. A token of the Kubernetes API needs `serviceAccount.token`. */
  projected?: AsInKubernetes;
  /** Fields of the pod as files, as in a pod. */
  downwardAPI?: AsInKubernetes;
}

/** A claim that exists. */
export interface DevContainerClaimSourceArgs {
  /** Its name. */
  claimName: pulumi.Input<string>;
  /**
   * Whether nobody can write to it.
   * @default false
   */
  readOnly?: boolean;
}

/** A ConfigMap as files. */
export interface DevContainerConfigMapSourceArgs {
  /** Its name. */
  name: pulumi.Input<string>;
  /**
   * Which keys.
   * @default - all, each in a file of its name
   */
  items?: DevContainerKeyToPathArgs[];
  /**
   * Whether the container starts without it.
   * @default false
   */
  optional?: boolean;
}

/** A Secret as files. */
export interface DevContainerSecretSourceArgs {
  /** Its name. */
  secretName: pulumi.Input<string>;
  /**
   * Which keys.
   * @default - all, each in a file of its name
   */
  items?: DevContainerKeyToPathArgs[];
  /**
   * Whether the container starts without it.
   * @default false
   */
  optional?: boolean;
}

/** A key as a file. */
export interface DevContainerKeyToPathArgs {
  /** The key. */
  key: string;
  /** The file, below the mount. */
  path: string;
  /**
   * Its mode bits, as a number.
   * @default 0o644
   */
  mode?: number;
}

/** Where a volume of `volumes` is mounted. */
export interface DevContainerVolumeMountArgs {
  /** The volume's name; in init containers and sidecars also `home`. */
  name: string;
  /** Where it is mounted. */
  mountPath: string;
  /**
   * Which folder of the volume.
   * @default - the whole volume
   */
  subPath?: string;
  /**
   * Whether the container cannot write to it.
   * @default false
   */
  readOnly?: boolean;
}
