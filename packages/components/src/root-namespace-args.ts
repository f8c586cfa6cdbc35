/** Arguments of {@link RootNamespace}. */
export interface RootNamespaceArgs {
  /** The namespace, of one team. */
  namespace: string;
  /**
   * Whether to create it: as a team's, and with Pod Security "baseline" enforced. It is never deleted. `false` where
   * another program makes it, which has to lower it to "baseline" after the policies stand.
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
}

/** What pods may reach. */
export interface RootNamespaceEgressArgs {
  /**
   * Private networks, in CIDR notation. Each opens its hosts to everybody with a shell there.
   * @default none
   */
  allow?: string[];
}

/** What a container with root must know of its namespace. Plain, so a team can be previewed before it exists. */
export interface RootNamespaceRefArgs {
  /** The namespace, which must be the container's. */
  namespace: string;
}
