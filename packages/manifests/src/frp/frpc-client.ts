import type { DevContainerPlan } from "../container/plan.ts";
import type { SshWay } from "../ssh/target.ts";
import type { FrpcPlan } from "./frpc-plan.ts";

/** The way in through frp, for a client's ssh_config. */
export function frpWay(frpc: FrpcPlan, connectHost: string): SshWay {
  return { way: "frp", address: connectHost, port: frpc.connectPort, hostName: frpc.hostName };
}

/** The command that logs in through frp by frp's own name, with nothing configured but `known_hosts`. */
export function frpSshCommand(plan: DevContainerPlan, frpc: FrpcPlan, connectHost: string): string {
  const address = connectHost.includes(":") ? `[${connectHost}]` : connectHost;
  const port = plan.sshd.port === 22 ? "" : ` -p ${plan.sshd.port}`;
  return `ssh -o StrictHostKeyChecking=yes -o ProxyCommand='nc -X connect -x ${address}:${frpc.connectPort} %h %p'${port} ${plan.user.name}@${frpc.hostName}`;
}
