/** A frpc with everything decided, and how clients log in through it. */

import { type Input, type Known, orElse, text } from "../../kit/input.ts";
import { bracketed, joinName } from "../../kubernetes/names.ts";
import { bracketsQuoted } from "../client-texts/proxy-command.ts";
import type { SshWay } from "../client-texts/target.ts";
import type { FrpRouteParsed } from "./args.ts";
import { grantName } from "./contract.ts";

/** A container's frpc with every default and name decided. */
export type FrpcPlan = NonNullable<ReturnType<typeof planFrpc>>;

/** The host that a frpc leads to. */
export interface FrpcHost {
  readonly namespace: Input<string>;
  readonly labels: Record<string, string>;
  readonly ssh: { readonly port: Input<number> };
  readonly frpc: FrpcPlan | undefined;
}

/** The fields of a frpc that may come later, and of which texts for clients are made. */
export const frpcNames = (frpc: FrpcPlan) => {
  const { serverAddr, serverPort, serverName, connectPort, connectTls, hostName, user } = frpc;
  return { serverAddr, serverPort, serverName, connectPort, connectTls, hostName, user };
};

/** One whose names are all known. */
export type KnownFrpcPlan = Known<FrpcPlan, keyof ReturnType<typeof frpcNames>>;

/**
 * The schema saw to it that what `enabled` needs is there.
 * @param sshdAddress by default that of the same pod
 */
export function planFrpc(
  name: string,
  namespace: Input<string>,
  access: (Omit<FrpRouteParsed, "token"> & { readonly token?: Input<string> | undefined }) | undefined,
  sshdAddress: Input<string> = "127.0.0.1",
) {
  if (access === undefined || !access.enabled) return undefined;
  const { server, external, customDomain } = access;
  const frps = server ?? external;
  if (frps === undefined) return undefined;
  return {
    serverAddr: frps.serverAddr,
    serverPort: frps.serverPort,
    // What frps's certificate must hold.
    serverName: orElse(frps.serverName, frps.serverAddr),
    caBundle: frps.caBundle,
    connectAddress: orElse(orElse(access.address, server?.address), ""),
    connectPort: frps.connectPort,
    connectTls: orElse(frps.connectTls, false),
    // What clients ask for.
    hostName: customDomain ?? text`${name}.${namespace}.${frps.domain ?? ""}`,
    // Who frpc says it is; both parts are DNS labels, so the dot is unambiguous.
    user: text`${namespace}.${name}`,
    // Undefined where it is derived from the container's seed.
    token: access.token,
    // Whose service account may read the grant; undefined for an frps elsewhere.
    authorizer: server?.authorizer,
    // Where it is another name than the default one, the grant states it.
    customDomain,
    image: access.image,
    sshdAddress,
    // Deployment and NetworkPolicy of a frpc in a pod of its own; ConfigMap with frpc.toml; Secret with the token.
    workload: joinName(name, "frpc"),
    configMap: joinName(name, "frpc"),
    secret: joinName(name, "frp-token"),
    // ConfigMap, Role and RoleBinding with what the authorizer may know.
    grant: grantName(name),
  };
}

/** The way in through frp, for a client's ssh_config. */
export function frpWay(frpc: KnownFrpcPlan, connectAddress: string): SshWay {
  const { connectPort: port, connectTls, hostName } = frpc;
  return { way: "frp", address: connectAddress, port, hostName, ...(connectTls ? { tls: true } : {}) };
}

/** The command that logs in through frp by frp's own name, with nothing configured but `known_hosts`. */
export function frpSshCommand(
  plan: { readonly ssh: { readonly port: number }; readonly user: { readonly name: string } },
  frpc: KnownFrpcPlan,
  connectAddress: string,
): string {
  const proxy = bracketsQuoted(`${bracketed(connectAddress)}:${frpc.connectPort}`);
  const command = frpc.connectTls
    ? `proxytunnel -q -p ${proxy} -E -d %h:%p`
    : `nc -X connect -x ${proxy} %h %p`;
  const port = plan.ssh.port === 22 ? "" : ` -p ${plan.ssh.port}`;
  return `ssh -o StrictHostKeyChecking=yes -o ProxyCommand='${command}'${port} ${plan.user.name}@${frpc.hostName}`;
}
