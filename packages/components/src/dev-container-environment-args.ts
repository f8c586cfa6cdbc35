import type * as pulumi from "@pulumi/pulumi";

/** Where a variable's value comes from: exactly one of them. A Secret's stays out of Pulumi's state and of the pod's own fields. */
export interface DevContainerEnvSourceArgs {
  /** A key of a Secret. It is readable in every process of the container; as a file (`secretFiles`) it is not. */
  secretKeyRef?: DevContainerKeyRefArgs;
  /** A key of a ConfigMap. */
  configMapKeyRef?: DevContainerKeyRefArgs;
  /** A field of the pod. */
  fieldRef?: DevContainerFieldRefArgs;
  /** What a container may use. */
  resourceFieldRef?: DevContainerResourceFieldRefArgs;
}

/** A key of a Secret or ConfigMap in the container's namespace. */
export interface DevContainerKeyRefArgs {
  /** Name of the Secret or ConfigMap. */
  name: pulumi.Input<string>;
  /** The key. */
  key: string;
  /**
   * Whether the container starts without it.
   * @default false
   */
  optional?: boolean;
}

/** A field of the pod. */
export interface DevContainerFieldRefArgs {
  /**
   * Which field of the pod, as in a pod.
   * @example "status.podIP"
   */
  fieldPath: string;
}

/** What a container may use. */
export interface DevContainerResourceFieldRefArgs {
  /**
   * Whose: the name of one of the pod's containers.
   * @default the container itself
   */
  containerName?: string;
  /**
   * Which request or limit.
   * @example "limits.memory"
   */
  resource: string;
}

/** All keys of a Secret or a ConfigMap as variables; exactly one of the two. */
export interface DevContainerEnvFromArgs {
  /** Put before each name. */
  prefix?: string;
  /** A Secret. */
  secretRef?: DevContainerEnvObjectArgs;
  /** A ConfigMap. */
  configMapRef?: DevContainerEnvObjectArgs;
}

/** A Secret or ConfigMap in the container's namespace. */
export interface DevContainerEnvObjectArgs {
  /** Its name. */
  name: pulumi.Input<string>;
  /**
   * Whether the container starts without it.
   * @default false
   */
  optional?: boolean;
}
