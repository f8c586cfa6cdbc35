import type { SshMode } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";
import type { ResourcesArgs } from "./resources-args.ts";

/** Where sshd comes from. */
export interface DevContainerSshArgs {
  /**
   * `image`: the image holds and starts sshd. `injected`: any image; sshd is brought along and the shell sees the
   * image's own files. `sidecar`: sshd in a container of its own beside the application, with the same network and
   * volumes. `none`: no sshd; only the way over the Kubernetes API is left.
   * @default "image"
   */
  mode?: SshMode;
  /** With `injected` the sshd-bundle image, with `sidecar` the image whose shell one lands in. */
  image?: pulumi.Input<string>;
  /**
   * The port of sshd, of the Service and of the host name clients use.
   * @default 22
   */
  port?: number;
  /**
   * With `sidecar`: CPU and memory of all sessions together.
   * @default requests of 100m CPU and 512Mi memory, a limit of 512Mi memory
   */
  resources?: ResourcesArgs;
  /**
   * Seconds that a new connection has to log in, the time to type a passphrase or to touch a hardware key included.
   * @default 30
   */
  loginGraceSeconds?: number;
  /**
   * How many connections may wait for their login at once; from half of that on, some are refused at random. Each
   * costs memory of the container that runs sshd. All of them come from the gateway, whose limits for each client keep
   * one client from taking them all.
   * @default 200
   */
  maxStartups?: number;
  /**
   * Whether removing a key also ends the connections that it opened, some seconds after the change has reached the
   * container. Connections that hold only forwards cannot be told apart and are ended at every change of keys.
   * @default false
   */
  endRevokedSessions?: boolean;
}

/** The user one logs in as. */
export interface DevContainerUserArgs {
  /**
   * Login name. With sshd from the `image` or in a `sidecar` it must exist in that image. `root`, with uid and gid 0,
   * takes the container's `root: true`; its home is `/root`.
   * @default "jovyan"
   */
  name?: string;
  /**
   * User id, at least 1000, or root's 0.
   * @default 1000
   */
  uid?: number;
  /**
   * Group id, which owns the home volume.
   * @default 1000
   */
  gid?: number;
  /**
   * With `injected`: the login shell, a program of the image.
   * @default - bash if the image has it, else sh
   */
  shell?: string;
}

/** A certificate authority for users (`ssh-keygen -s`). */
export interface DevContainerUserCaArgs {
  /** Its public keys. A change takes effect at the next login. */
  keys: pulumi.Input<string>[];
  /**
   * A certificate must carry one of these names.
   * @default - the login name
   */
  principals?: string[];
}

/** Exactly one of `seed` and `privateKey`. Both are kept secret in Pulumi's state. */
export interface DevContainerHostKeyArgs {
  /**
   * A secret of the stack, at least 32 characters, from which each container's key is derived. The same seed,
   * identity and generation give the same key in every stack.
   */
  seed?: pulumi.Input<string>;
  /** An unencrypted ed25519 private key file's text. */
  privateKey?: pulumi.Input<string>;
  /**
   * Counts the keys derived from one seed; another number is another key.
   * @default 1
   */
  generation?: number;
  /**
   * What the key is derived for. Give the old one to a container that changed its name or namespace.
   * @default "<namespace>/<name>"
   */
  identity?: string;
  /** The key that will replace this one: clients are told of it, and `knownHosts` holds both. */
  next?: DevContainerNextHostKeyArgs;
}

/** Exactly one of `seed` and `privateKey`. */
export interface DevContainerNextHostKeyArgs {
  /** A secret of the stack, at least 32 characters. */
  seed?: pulumi.Input<string>;
  /** An unencrypted ed25519 private key file's text. */
  privateKey?: pulumi.Input<string>;
  /**
   * Counts the keys derived from one seed; with the same seed give a higher one than now.
   * @default 1
   */
  generation?: number;
}
