import { grantName } from "../common/contract.ts";
import { joinName } from "../common/names.ts";
import { orElse, type Placed, text } from "../common/placed.ts";
import type { FrpServerRefParsed } from "../frp/ref.ts";
import type { FrpRouteParsed } from "./args.ts";

/** A container's frpc with every default and name decided. */
export interface FrpcPlan {
  readonly serverAddr: Placed<string>;
  readonly serverPort: Placed<number>;
  /** The name that frps's certificate must hold. */
  readonly serverName: Placed<string>;
  readonly caBundle: Placed<string> | undefined;
  readonly connectAddress: Placed<string>;
  readonly connectPort: Placed<number>;
  /** Whether clients speak TLS with that port. */
  readonly connectTls: Placed<boolean>;
  /** The name under which clients ask for the container. */
  readonly hostName: Placed<string>;
  /** Who frpc says it is, `<namespace>.<name>`; both parts are DNS labels, so the dot is unambiguous. */
  readonly user: Placed<string>;
  /** Given, or undefined where it is derived from the container's seed. */
  readonly token: Placed<string> | undefined;
  /** Whose service account may read the grant; undefined for an frps elsewhere. */
  readonly authorizer: FrpServerRefParsed["authorizer"] | undefined;
  /** A name other than the default one, which the grant states. */
  readonly customDomain: Placed<string> | undefined;
  readonly image: Placed<string>;
  /** Where sshd listens. */
  readonly sshdAddress: Placed<string>;
  /** Of a frpc in a pod of its own: Deployment and NetworkPolicy. */
  readonly workload: string;
  /** ConfigMap with frpc.toml. */
  readonly configMap: string;
  /** Secret with the token. */
  readonly secret: string;
  /** ConfigMap, Role and RoleBinding with what the authorizer may know. */
  readonly grant: string;
}

/** The host that a frpc leads to. */
export interface FrpcHost {
  readonly namespace: Placed<string>;
  readonly labels: Record<string, string>;
  readonly ssh: { readonly port: number };
  readonly frpc: FrpcPlan | undefined;
}

/** What of it may come later and texts are made of. */
export const frpcNames = (frpc: FrpcPlan) => {
  const { serverAddr, serverPort, serverName, connectPort, connectTls, hostName, user } = frpc;
  return { serverAddr, serverPort, serverName, connectPort, connectTls, hostName, user };
};

/** One whose names are all known. */
export interface KnownFrpcPlan extends FrpcPlan {
  readonly serverAddr: string;
  readonly serverPort: number;
  readonly serverName: string;
  readonly connectPort: number;
  readonly connectTls: boolean;
  readonly hostName: string;
  readonly user: string;
}

/** The container's name through frp unless `customDomain` overrides it. */
export function frpHostName(name: string, namespace: Placed<string>, domain: Placed<string>): Placed<string> {
  return text`${name}.${namespace}.${domain}`;
}

/**
 * The schema saw to it that what `enabled` needs is there.
 * @param sshdAddress by default that of the same pod
 */
export function planFrpc(
  name: string,
  namespace: Placed<string>,
  access: (Omit<FrpRouteParsed, "token"> & { readonly token?: Placed<string> | undefined }) | undefined,
  sshdAddress: Placed<string> = "127.0.0.1",
): FrpcPlan | undefined {
  if (access === undefined || !access.enabled) return undefined;
  const { server, external, customDomain } = access;
  const frps = server ?? external;
  if (frps === undefined) return undefined;
  return {
    serverAddr: frps.serverAddr,
    serverPort: frps.serverPort,
    serverName: orElse(frps.serverName, frps.serverAddr),
    caBundle: frps.caBundle,
    connectAddress: access.connectAddress ?? orElse(server?.connectAddress, ""),
    connectPort: frps.connectPort,
    connectTls: orElse(frps.connectTls, false),
    hostName: customDomain ?? frpHostName(name, namespace, frps.domain ?? ""),
    user: text`${namespace}.${name}`,
    token: access.token,
    authorizer: server?.authorizer,
    customDomain,
    image: access.image,
    sshdAddress,
    workload: joinName(name, "frpc"),
    configMap: joinName(name, "frpc"),
    secret: joinName(name, "frp-token"),
    grant: grantName(name),
  };
}
