// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.

import type * as pulumi from "@pulumi/pulumi";
import type { AccessMode, ImagePullPolicy, StorageAction } from "../lists.ts";
import type { PodMetadataArgs, ResourcesArgs, SchedulingArgs } from "./shared.ts";
import type { StorageProxyRefArgs } from "./storage-proxy.ts";

/** What a container must know of a storage that it mounts. */
export interface StorageRefArgs {
  /** Version of this form, which a component sets. @default - values written by hand have none */
  version?: number;
  /** The storage's name. */
  name: pulumi.Input<string>;
  /** Its namespace, which must be the container's. */
  namespace: pulumi.Input<string>;
  /** Name of its claim. */
  claimName: pulumi.Input<string>;
  /** How the volume may be mounted. @default "ReadWriteOnce" */
  accessMode?: pulumi.Input<AccessMode>;
  /** Pods with the same group share a node. @default the storage's name */
  colocationGroup?: pulumi.Input<string>;
  /** The group that owns the files. @default 1000 */
  gid?: pulumi.Input<number>;
}

/** What a container must know of a storage that it mounts. */
export interface StorageRef extends pulumi.Unwrap<StorageRefArgs> {}

/** Arguments of {@link StorageAccessor}. */
export interface StorageAccessorArgs extends PodMetadataArgs {
  /** Name of the storage, part of its address; at most 50 characters. @default the component's logical name */
  name?: string;
  /** The namespace it lives in, part of its address. It must exist. */
  namespace: pulumi.Input<string>;
  /** Size of the volume; a larger one is accepted in place. @default "20Gi" */
  size?: pulumi.Input<string>;
  /** StorageClass. @default - the cluster's default class */
  storageClassName?: pulumi.Input<string>;
  /** How the volume may be mounted. With `ReadWriteOnce` all its pods share one node. @default "ReadWriteOnce" */
  accessMode?: AccessMode;
  /**
   * An existing claim to use instead of a new one, for example the one that an earlier stack left behind
   * (`<name>-storage`).
   */
  claimName?: pulumi.Input<string>;
  /** Whose files these are. Containers that mount the storage must have the same group. */
  owner?: StorageOwnerArgs;
  /**
   * Pods with the same group share a node. Give storages that one container mounts together the same one.
   * @default the storage's name; none with `ReadWriteMany`
   */
  colocationGroup?: string;
  /** Which nodes the preparation and the file server run on: those on which containers mount the storage too. */
  scheduling?: SchedulingArgs;
  /** What fills the volume, once, before anyone mounts it. */
  prepare?: StoragePrepareArgs;
  /** How people and programs see the files without a container. */
  browse?: StorageBrowseArgs;
  /**
   * Whether `pulumi up` waits for preparation and file server. Without it a failed preparation shows in `state` alone,
   * at the next `pulumi up --refresh`.
   * @default true
   */
  wait?: boolean;
}

/** Owner of a storage's files. */
export interface StorageOwnerArgs {
  /** User id, at least 1000. @default 1000 */
  uid?: number;
  /** Group id, which owns the volume. @default 1000 */
  gid?: number;
}

/** A Job that fills the volume once. It runs as the owner, without any privilege. */
export interface StoragePrepareArgs {
  /** Its image, with a tag other than `latest` or a digest. */
  image: pulumi.Input<string>;
  /** When the node pulls the image. @default "IfNotPresent" */
  imagePullPolicy?: ImagePullPolicy;
  /** The program, instead of the image's own. @example ["sh", "-c"] */
  command?: string[];
  /** Its arguments. */
  args?: string[];
  /**
   * Its environment, as it is written: `$(NAME)` is not expanded. A secret is refused, since a Job is readable in the
   * cluster: give it in `secretEnv`.
   */
  env?: Record<string, pulumi.Input<string>>;
  /**
   * The same with secret values, whose names are plain. The values are in a Secret of the storage's own.
   * @example { AWS_SECRET_ACCESS_KEY: config.requireSecret("s3Key") }
   */
  secretEnv?: Record<string, pulumi.Input<string>>;
  /** Another storage of the same namespace to copy, instead of a command; the image must hold `cp`. */
  copyFrom?: pulumi.Input<StorageRefArgs>;
  /** Where the volume is mounted, and the program's working directory. @default "/workspace" */
  mountPath?: string;
  /** Another value runs the preparation again; nothing else does. At most 12 characters. @default "1" */
  revision?: string;
  /** Seconds after which it counts as failed, all retries together. @default 3600 */
  activeDeadlineSeconds?: number;
  /** How often it is tried again before it counts as failed; 0 for a single try. @default 2 */
  backoffLimit?: number;
  /** Its CPU and memory. */
  resources?: ResourcesArgs;
}

/** A file server for one storage, read-only unless said otherwise. It lets nobody in without a credential. */
export interface StorageBrowseArgs {
  /** Whether it runs. Switched off, its address answers 503. @default true */
  enabled?: boolean;
  /** The proxy through which it is reached: `proxy.ref` of a {@link StorageProxy}, or its values. */
  proxy: pulumi.Input<StorageProxyRefArgs>;
  /**
   * Where the proxy is reached, for `url`: `proxy.address` of a {@link StorageProxy} whose address its LoadBalancer
   * gives. No object of the storage waits for it.
   * @default `proxy.address`
   */
  proxyAddress?: pulumi.Input<string>;
  /**
   * What visitors may do besides looking and downloading; `upload` and `delete` only those with `write`.
   * @default none
   */
  actions?: StorageAction[];
  /** Users with passwords: for browsers, curl and WebDAV. */
  credentials?: StorageCredentialArgs[];
  /** Whose tokens are let in: for programs. */
  jwt?: StorageJwtArgs;
  /** The file server's image. @default dufs 0.47.0 */
  image?: pulumi.Input<string>;
  /** When the node pulls the images. @default "IfNotPresent" */
  imagePullPolicy?: ImagePullPolicy;
  /** CPU and memory of each of its programs. @default requests of 20m CPU and 32Mi memory, a limit of 256Mi memory */
  resources?: ResourcesArgs;
}

/** A user of one storage. */
export interface StorageCredentialArgs {
  /** Name to log in with. */
  user: string;
  /** Password, at least 12 characters. It is kept secret in Pulumi's state. */
  password: pulumi.Input<string>;
  /** Whether the user may do what `actions` names of `upload` and `delete`. @default false */
  write?: boolean;
}

/** Whose JSON Web Tokens are let in, as `Authorization: Bearer …`. They must carry an expiry. */
export interface StorageJwtArgs {
  /** The `iss` of the tokens. */
  issuer: pulumi.Input<string>;
  /** Accepted `aud`. @default - any */
  audiences?: pulumi.Input<pulumi.Input<string>[]>;
  /** The issuer's public keys: the text of its JSON Web Key Set. */
  jwks: pulumi.Input<string>;
  /** The claim that says whose token it is: a text or a list of texts. @default "team" */
  claim?: string;
  /** Values of that claim to which this storage is open. */
  values: pulumi.Input<pulumi.Input<string>[]>;
  /** Whether these tokens may do what `actions` names of `upload` and `delete`. @default false */
  write?: boolean;
  /**
   * The image of the program that checks the tokens, with `/usr/local/bin/envoy` in it.
   * @default Envoy's own release
   */
  image?: pulumi.Input<string>;
}

/** What the `drawbridge` command lists of a storage. It holds no secret. */
export interface StorageTarget {
  /** Marks it among a stack's outputs. */
  kind: string;
  /** The storage's name. */
  name: string;
  /** Its namespace. */
  namespace: string;
  /** `Preparing`, `Ready`, or `Failed: ` with the reason, when Pulumi last looked. */
  state: string;
  /** Where its files are seen; absent without an accessor. */
  url?: string;
}
