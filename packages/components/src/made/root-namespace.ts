// Made by `npm run docs` from the schemas in packages/manifests/src; change those.
import type * as pulumi from "@pulumi/pulumi";

/** What a container with root must know of its namespace. A team can be previewed before it exists. */
export interface RootNamespaceRefArgs {
  /**
   * Version of this form, which a component sets.
   * @default - values written by hand have none
   */
  version?: number;
  /** The namespace, which must be the container's. */
  namespace: pulumi.Input<string>;
  /**
   * Whether it allows `containersInside`.
   * @default false
   */
  containersInside?: pulumi.Input<boolean>;
}

/** What a container with root must know of its namespace. A team can be previewed before it exists. */
export interface RootNamespaceRef {
  /**
   * Version of this form, which a component sets.
   * @default - values written by hand have none
   */
  version?: number;
  /** The namespace, which must be the container's. */
  namespace: string;
  /**
   * Whether it allows `containersInside`.
   * @default false
   */
  containersInside?: boolean;
}

/** Arguments of {@link RootNamespace}. */
export interface RootNamespaceArgs {
  /** The namespace, of one team. */
  namespace: pulumi.Input<string>;
  /**
   * Whether to create it: as a team's, and with Pod Security "baseline" enforced, or with `containersInside` none. It
   * is never deleted. `false` where another program makes it, which has to lower its level after the policies stand.
   * @default true
   */
  createNamespace?: boolean;
  /** What the pods of a namespace that is made here may reach. */
  egress?: RootNamespaceEgressArgs;
  /**
   * ServiceAccounts that its pods may run as, besides the namespace's default one. Whoever has a shell there has the
   * rights of each.
   * @default none
   */
  serviceAccountNames?: string[];
  /**
   * Whether its containers may start containers inside. Pods may then have SYS_ADMIN, NET_ADMIN and SYS_PTRACE in their
   * own user namespace, with which they mount and route in it, and Pod Security is "privileged": the policies alone
   * stand.
   * @default false
   */
  containersInside?: boolean;
}

/** What pods may reach. */
export interface RootNamespaceEgressArgs {
  /**
   * Private networks, in CIDR notation. Each opens its hosts to everybody with a shell there.
   * @default none
   */
  allow?: string[];
}
