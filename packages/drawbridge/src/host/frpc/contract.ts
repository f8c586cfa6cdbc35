/** What a stack's objects and frp's authorizer (packages/controllers) agree on. */
/**
 * Name of the ConfigMap that tells the authorizer of one frpc, in the namespace of what it leads to. It may have dots and be
 * long, so no name is ever cut or taken twice.
 */
export const grantName = (name: string) => `frp-grant.${name}`;

/** Its data. */
export interface FrpGrant {
  /** Hash of frpc's token; it lets nobody in. */
  readonly tokenSha256: string;
  /** The one name other than its own that it may register. */
  readonly clientDomain?: string | undefined;
}
