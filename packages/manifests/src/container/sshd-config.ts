import { compact, type Manifest } from "../common/manifest.ts";
import type { DevContainerPlan } from "./plan.ts";

/** Where the parts of sshd's identity are mounted or kept; the image's start script knows the same paths. */
export const sshdPaths = {
  config: "/etc/drawbridge/sshd",
  hostKeyMount: "/etc/drawbridge/host-keys",
  authorizedKeys: "/etc/drawbridge/authorized-keys",
  run: "/run/drawbridge",
} as const;

export const hostKeyFile = "ssh_host_ed25519_key";

/**
 * sshd as the container's own user: keys only, no root, everything an IDE needs (forwarding, many channels).
 * Keys are read at each login, so a changed key needs no restart.
 */
export function sshdConfig(plan: DevContainerPlan): string {
  const lines = [
    `Port ${plan.sshd.port}`,
    `HostKey ${sshdPaths.run}/${hostKeyFile}`,
    "PidFile none",
    "UsePAM no",
    "PermitRootLogin no",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "AuthenticationMethods publickey",
    `AllowUsers ${plan.user.name}`,
    // A program reads the mounted keys, so a group-writable home volume locks nobody out (StrictModes).
    "AuthorizedKeysFile none",
    "AuthorizedKeysCommand /usr/local/lib/drawbridge/authorized-keys",
    `AuthorizedKeysCommandUser ${plan.user.name}`,
    "AllowAgentForwarding yes",
    "AllowTcpForwarding yes",
    "AllowStreamLocalForwarding yes",
    "StreamLocalBindUnlink yes",
    "GatewayPorts no",
    "PermitTunnel no",
    "X11Forwarding no",
    "PrintMotd no",
    // VS Code opens many channels on one connection, JetBrains several connections at once.
    "MaxSessions 100",
    "MaxStartups 100:30:200",
    "LoginGraceTime 30",
    "ClientAliveInterval 60",
    "ClientAliveCountMax 10",
    // VERBOSE names the key of each login.
    "LogLevel VERBOSE",
    "Subsystem sftp internal-sftp",
    ...setEnv(plan.environment),
  ];
  return `${lines.join("\n")}\n`;
}

/** The pod's environment does not reach an SSH session by itself. sshd heeds only the first SetEnv line. */
function setEnv(environment: Readonly<Record<string, string>>): string[] {
  const pairs = Object.entries(environment)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `"${name}=${value.replace(/(["\\])/g, "\\$1")}"`);
  return pairs.length === 0 ? [] : [`SetEnv ${pairs.join(" ")}`];
}

export function sshdConfigMap(plan: DevContainerPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: plan.names.sshdConfig, namespace: plan.namespace, labels: plan.labels },
    data: compact({ sshd_config: sshdConfig(plan) }),
  };
}
