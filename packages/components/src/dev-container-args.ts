import type { AccessMode, EvictionPolicy, ImagePullPolicy, SshdMode } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";
import type { SshGatewayRefArgs } from "./ssh-gateway-args.ts";

/** Arguments of {@link DevContainer}. */
export interface DevContainerArgs {
  /**
   * Name of the container: of its Service, StatefulSet and host names.
   * @default the component's logical name
   */
  name?: string;
  /** The namespace it lives in, which is part of its host name. It must exist. */
  namespace: string;
  /**
   * The image, with a tag other than `latest` or a digest.
   * @example "registry.example.com/team/devcontainer:1.4.0"
   */
  image: string;
  /**
   * When the node pulls the image.
   * @default "IfNotPresent"
   */
  imagePullPolicy?: ImagePullPolicy;
  /** Where sshd comes from and where it listens. */
  sshd?: DevContainerSshdArgs;
  /** The user one logs in as, who owns the home. */
  user?: DevContainerUserArgs;
  /**
   * Public keys that may log in, one authorized_keys line each. A change takes effect at the next login
   * without a restart.
   */
  authorizedKeys: pulumi.Input<string>[];
  /** The container's SSH identity, which `known_hosts` pins. */
  hostKey: DevContainerHostKeyArgs;
  /** The home volume, which outlives the container. */
  home?: DevContainerHomeArgs;
  /** CPU and memory. */
  resources?: DevContainerResourcesArgs;
  /** Environment of the container and of every SSH session. No secrets: it is readable in the cluster. */
  environment?: Record<string, string>;
  /** The gateway through which it is reached: `gateway.ref` of an {@link SshGateway}, or plain values. */
  gateway?: SshGatewayRefArgs;
  /**
   * Whether the cluster may move the pod: `never` blocks node drains until somebody deletes the pod.
   * @default "never"
   */
  eviction?: EvictionPolicy;
  /**
   * Whether `pulumi up` waits until sshd is ready. Without it, one container that cannot be scheduled does
   * not block a team's update.
   * @default true
   */
  wait?: boolean;
  /** Further volumes. */
  mounts?: DevContainerMountArgs[];
}

/** Where sshd comes from. */
export interface DevContainerSshdArgs {
  /**
   * `image`: the image holds and starts sshd.
   * @default "image"
   */
  mode?: SshdMode;
  /**
   * The port of sshd, of the Service and of the host name clients use.
   * @default 22
   */
  port?: number;
}

/** The user one logs in as. */
export interface DevContainerUserArgs {
  /**
   * Login name. With an image that holds sshd it must exist there.
   * @default "jovyan"
   */
  name?: string;
  /**
   * User id, at least 1000: nothing here runs as root.
   * @default 1000
   */
  uid?: number;
  /**
   * Group id, which owns the home volume.
   * @default 1000
   */
  gid?: number;
}

/** Exactly one of the two. Both are kept secret in Pulumi's state. */
export interface DevContainerHostKeyArgs {
  /**
   * A secret of the stack, at least 32 characters, from which each container's key is derived. The same seed,
   * namespace and name give the same key in every stack.
   */
  seed?: pulumi.Input<string>;
  /** An unencrypted ed25519 private key file's text. */
  privateKey?: pulumi.Input<string>;
}

/** The home volume. */
export interface DevContainerHomeArgs {
  /**
   * Size; a larger one is accepted in place.
   * @default "20Gi"
   */
  size?: string;
  /**
   * StorageClass.
   * @default - the cluster's default class
   */
  storageClass?: string;
  /**
   * How the volume may be mounted.
   * @default "ReadWriteOnce"
   */
  accessMode?: AccessMode;
}

/** CPU and memory. */
export interface DevContainerResourcesArgs {
  /**
   * CPU set aside; more is used while the node has it to spare.
   * @default "1"
   */
  cpu?: string;
  /**
   * Memory set aside, which is also the limit.
   * @default "2Gi"
   */
  memory?: string;
}

/** A volume that exists already, mounted into the container. */
export interface DevContainerMountArgs {
  /** Name of the claim, in the container's namespace. */
  claim: string;
  /** Where it is mounted. */
  mountPath: string;
  /** @default false */
  readOnly?: boolean;
}
