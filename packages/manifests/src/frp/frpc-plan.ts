import { joinName } from "../common/names.ts";
import type { Placed } from "../common/placed.ts";
import type { FrpAccessParsed } from "./frpc-args.ts";

/** A container's frpc with every default and name decided. */
export interface FrpcPlan {
  readonly serverAddr: string;
  readonly serverPort: number;
  /** The name that frps's certificate must hold. */
  readonly serverName: string;
  readonly caBundle: Placed<string> | undefined;
  readonly connectHost: Placed<string>;
  readonly connectPort: number;
  /** Whether clients speak TLS with that port. */
  readonly connectTls: boolean;
  /** The name under which clients ask for the container. */
  readonly hostName: string;
  /** Who frpc says it is, `<namespace>.<name>`; both parts are DNS labels, so the dot is unambiguous. */
  readonly user: string;
  /** Given, or undefined where it is derived from the container's seed. */
  readonly token: Placed<string> | undefined;
  /** Whose service account may read the grant; undefined for an frps of the caller's own. */
  readonly authorizer: { readonly namespace: string; readonly serviceAccountName: string } | undefined;
  /** A name other than the default one, which the grant states. */
  readonly clientDomain: string | undefined;
  readonly image: Placed<string>;
  /** Secret with frpc.toml. */
  readonly secret: string;
  /** ConfigMap, Role and RoleBinding with what the authorizer may know. */
  readonly grant: string;
}

/** The container's name through frp unless `clientDomain` overrides it. */
export function frpHostName(name: string, namespace: string, domainSuffix: string): string {
  return `${name}.${namespace}.${domainSuffix}`;
}

/** The schema saw to it that what `enabled` needs is there. */
export function planFrpc(
  name: string,
  namespace: string,
  access: FrpAccessParsed | undefined,
): FrpcPlan | undefined {
  if (access === undefined || !access.enabled) return undefined;
  const { serverAddr = "", connectHost = "", domainSuffix, clientDomain } = access;
  return {
    serverAddr,
    serverPort: access.serverPort,
    serverName: access.serverName ?? serverAddr,
    caBundle: access.caBundle,
    connectHost,
    connectPort: access.connectPort,
    connectTls: access.connectTls,
    hostName: clientDomain ?? frpHostName(name, namespace, domainSuffix ?? ""),
    user: `${namespace}.${name}`,
    token: access.token,
    authorizer: access.authorizer,
    clientDomain,
    image: access.image,
    secret: joinName(name, "frpc"),
    grant: frpGrantName(name),
  };
}

/** ConfigMaps may have dots in their names and be long, so no name is ever cut or taken twice. */
export function frpGrantName(name: string): string {
  return `frp-grant.${name}`;
}
