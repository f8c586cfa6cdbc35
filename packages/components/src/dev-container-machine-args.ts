import type { AccessMode } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";
import type { StorageRefArgs } from "./storage-accessor-args.ts";

/** A volume of the container. Its claim is kept when the container is removed. */
export interface DevContainerVolumeArgs {
  /**
   * Size; a larger one is accepted in place, a smaller one never.
   * @default "20Gi"
   */
  size?: pulumi.Input<string>;
  /**
   * StorageClass.
   * @default - the cluster's default class
   */
  storageClassName?: pulumi.Input<string>;
  /**
   * How the volume may be mounted.
   * @default "ReadWriteOnce"
   */
  accessMode?: AccessMode;
  /**
   * Name of a claim that exists already: adopted as it is, never changed and never deleted. So a container that was
   * removed comes back with its data.
   * @default - a claim of the container's own
   */
  claimName?: pulumi.Input<string>;
}

/** GPUs of one kind. */
export interface DevContainerGpuArgs {
  /** How many. */
  count: number;
  /**
   * The resource's name; a MIG slice has its own, such as `nvidia.com/mig-1g.10gb`.
   * @default "nvidia.com/gpu"
   */
  resource?: string;
  /**
   * The product, as NVIDIA's feature discovery labels nodes.
   * @default - any
   * @example "NVIDIA-A100-SXM4-80GB"
   */
  product?: pulumi.Input<string>;
}

/** A Secret that exists already, mounted as a folder of files that only the user can read. */
export interface DevContainerSecretFilesArgs {
  /** Name of the Secret, in the container's namespace. */
  secretName: pulumi.Input<string>;
  /** Where it is mounted. */
  mountPath: string;
}

/** A volume that exists already, mounted into the container. */
export interface DevContainerMountArgs {
  /** Name of the claim, in the container's namespace. */
  claimName: pulumi.Input<string>;
  /** Where it is mounted. */
  mountPath: string;
  /**
   * Whether the container cannot write to it.
   * @default false
   */
  readOnly?: boolean;
}

/** A storage, mounted into the container. */
export interface DevContainerStorageArgs {
  /** Which: `storage.ref` of a {@link StorageAccessor}, or plain values. */
  from: StorageRefArgs;
  /** Where it is mounted. */
  mountPath: string;
  /**
   * Whether the container cannot write to it.
   * @default false
   */
  readOnly?: boolean;
}
