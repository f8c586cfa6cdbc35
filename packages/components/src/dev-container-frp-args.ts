import type * as pulumi from "@pulumi/pulumi";

/**
 * A way in through frp: frpc beside the container's sshd registers the container's name with an frps, which clients
 * reach at one address. `frp.ref` of a {@link FrpServer} holds what the server's side decides.
 */
export interface DevContainerFrpArgs {
  /**
   * Whether there is this way in.
   * @default true
   */
  enabled?: boolean;
  /**
   * Login name. sshd lets one user in, so this is for stating it, not for changing it.
   * @default `user.name`
   */
  username?: string;
  /** Public keys that may log in besides `authorizedKeys`; sshd does not tell ways in apart. */
  authorizedKeys?: pulumi.Input<string>[];
  /** Host name or address of frps, for frpc. */
  serverAddr?: string;
  /**
   * Port of frps, for frpc.
   * @default 7000
   */
  serverPort?: number;
  /**
   * The name that frps's certificate must hold.
   * @default `serverAddr`
   */
  serverName?: string;
  /** The CA of frps's certificate, in PEM. Needed unless `unverifiedTls`. */
  caBundle?: pulumi.Input<string>;
  /**
   * Whether to trust any frps, for one that has no certificate of its own. Anyone who can intercept the connection then
   * learns the token.
   * @default false
   */
  unverifiedTls?: boolean;
  /** Host name or address at which ssh clients reach frps. */
  connectHost?: pulumi.Input<string>;
  /**
   * Its CONNECT port.
   * @default 1337
   */
  connectPort?: number;
  /**
   * Whether clients speak TLS with that port, with a certificate for `connectHost`.
   * @default false
   */
  connectTls?: boolean;
  /** The container is called `<name>.<namespace>.<domainSuffix>`. */
  domainSuffix?: string;
  /**
   * Another name below `domainSuffix`. With a FrpServer it must end in `.<namespace>.<domainSuffix>`, or be reserved for
   * this container in the server's `units`.
   */
  clientDomain?: string;
  /**
   * What frpc proves itself with, at least 32 characters. With a FrpServer it is the container's own; an frps elsewhere
   * needs its `auth.token` here.
   * @default - with a FrpServer, derived from `hostKey.seed`
   */
  token?: pulumi.Input<string>;
  /** Who checks the token: the service account of a FrpServer's authorizer. Leave it out for an frps elsewhere. */
  authorizer?: DevContainerFrpAuthorizerArgs;
  /**
   * frpc's image, version 0.70.1 or later, with a shell.
   * @default "fatedier/frpc:v0.70.1"
   */
  image?: pulumi.Input<string>;
}

/** The service account that may read the hash of the container's token. */
export interface DevContainerFrpAuthorizerArgs {
  /** Its namespace. */
  namespace: string;
  /** Its name, which is the FrpServer's. */
  serviceAccountName: string;
}
