/** The client's ssh_config as text. Host checking is never turned off in anything written here. */

/** How a client reaches the CONNECT port. */
export const ConnectProgram = { proxytunnel: "proxytunnel", netcat: "nc" } as const;
export type ConnectProgram = (typeof ConnectProgram)[keyof typeof ConnectProgram];

/** One container as a client sees it. */
export interface SshHost {
  /** What one types: `ssh <alias>`. */
  readonly alias: string;
  readonly hostName: string;
  readonly port: number;
  readonly user: string;
  readonly proxyCommand: string;
  /** @default ~/.ssh/known_hosts and the system's */
  readonly knownHostsFile?: string;
  /** @default the client's own keys */
  readonly identityFile?: string;
}

/** The command that ssh starts to be joined with the container. */
export function connectProxyCommand(
  program: ConnectProgram,
  gateway: { address: string; port: number },
): string {
  const proxy = `${gateway.address}:${gateway.port}`;
  return program === "nc" ? `nc -X connect -x ${proxy} %h %p` : `proxytunnel -q -p ${proxy} -d %h:%p`;
}

export function sshConfigBlock(host: SshHost): string {
  const lines = [
    `Host ${host.alias}`,
    `  HostName ${host.hostName}`,
    `  Port ${host.port}`,
    `  User ${host.user}`,
    `  ProxyCommand ${host.proxyCommand}`,
    "  StrictHostKeyChecking yes",
    ...(host.knownHostsFile === undefined ? [] : [`  UserKnownHostsFile ${host.knownHostsFile}`]),
    ...(host.identityFile === undefined
      ? []
      : [`  IdentityFile ${host.identityFile}`, "  IdentitiesOnly yes"]),
    // Below the idle time-outs of cloud load balancers (AWS NLB 350 s, Azure 240 s) and most NATs.
    "  ServerAliveInterval 30",
    "  ServerAliveCountMax 6",
  ];
  return `${lines.join("\n")}\n`;
}
