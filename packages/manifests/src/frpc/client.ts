import { bracketed } from "../common/names.ts";
import type { SshWay } from "../ssh/target.ts";
import type { KnownFrpcPlan } from "./plan.ts";

interface Host {
  readonly ssh: { readonly port: number };
  readonly user: { readonly name: string };
}

/** The way in through frp, for a client's ssh_config. */
export function frpWay(frpc: KnownFrpcPlan, connectAddress: string): SshWay {
  const { connectPort: port, connectTls, hostName } = frpc;
  return { way: "frp", address: connectAddress, port, hostName, ...(connectTls ? { tls: true } : {}) };
}

/** The command that logs in through frp by frp's own name, with nothing configured but `known_hosts`. */
export function frpSshCommand(plan: Host, frpc: KnownFrpcPlan, connectAddress: string): string {
  const proxy = `${bracketed(connectAddress)}:${frpc.connectPort}`;
  const command = frpc.connectTls
    ? `proxytunnel -q -p ${proxy} -E -d %h:%p`
    : `nc -X connect -x ${proxy} %h %p`;
  const port = plan.ssh.port === 22 ? "" : ` -p ${plan.ssh.port}`;
  return `ssh -o StrictHostKeyChecking=yes -o ProxyCommand='${command}'${port} ${plan.user.name}@${frpc.hostName}`;
}
