import { type Input, text, whenAllKnown, whenKnown } from "../../kit/input.ts";
import { isRoot, type SshdPlan } from "./plan.ts";

/** Folders of sshd's files. images/sshd/drawbridge-sshd knows the same paths, and copies the host keys to `run`. */
export const sshdPaths = {
  config: "/etc/drawbridge/sshd",
  hostKeyMount: "/etc/drawbridge/host-keys",
  authorizedKeys: "/etc/drawbridge/authorized-keys",
  run: "/run/drawbridge",
} as const;

/** The host key's file, in the Secret and where sshd reads it. */
export const hostKeyFile = "ssh_host_ed25519_key";
/** The file of the key that will replace it; sshd only announces this one (UpdateHostKeys). */
export const nextHostKeyFile = "ssh_host_ed25519_key_next";

/**
 * sshd as the container's own user: keys only, no root, everything an IDE needs (forwarding, many channels).
 * Authorized keys are read at each login, so a change of them needs no restart, unless they are copied
 * (volumes.ts). The start script includes this file after the container's environment (SetEnv).
 * @returns sshd_config, and beside it the files that its lines name as `${sshdPaths.config}/<file>`
 */
export function sshdConfig(plan: SshdPlan): Record<"sshd_config", Input<string>> {
  const { port, maxStartups, loginGraceSeconds } = plan.ssh;
  const lines = [
    text`Port ${port}`,
    // The first key is the one that clients see; further ones of the same type are only announced.
    `HostKey ${sshdPaths.run}/${hostKeyFile}`,
    ...(plan.hostKey?.next === undefined ? [] : [`HostKey ${sshdPaths.run}/${nextHostKeyFile}`]),
    "PidFile none",
    "UsePAM no",
    `PermitRootLogin ${isRoot(plan.user) ? "prohibit-password" : "no"}`,
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "AuthenticationMethods publickey",
    text`AllowUsers ${plan.user.name}`,
    `AuthorizedKeysFile ${sshdPaths.authorizedKeys}/authorized_keys`,
    // The keys lie on a read-only mount that only Kubernetes writes, but its folders look group-writable.
    "StrictModes no",
    ...userCaLines(plan),
    "AllowAgentForwarding yes",
    "AllowTcpForwarding yes",
    "AllowStreamLocalForwarding yes",
    "StreamLocalBindUnlink yes",
    "GatewayPorts no",
    "PermitTunnel no",
    "PermitUserEnvironment no",
    "X11Forwarding no",
    "PrintMotd no",
    "AcceptEnv LANG LC_* COLORTERM",
    // VS Code opens many channels on one connection, JetBrains several connections at once.
    "MaxSessions 100",
    // Connections before login. From half of it on, some are refused at random, so that a flood leaves gaps for others.
    whenKnown(maxStartups, (most: number) => `MaxStartups ${Math.ceil(most / 2)}:30:${most}`),
    text`LoginGraceTime ${loginGraceSeconds}`,
    "ClientAliveInterval 60",
    "ClientAliveCountMax 10",
    // VERBOSE names the key of each login.
    "LogLevel VERBOSE",
    "Subsystem sftp internal-sftp",
    `Include ${sshdPaths.run}/version.conf`,
  ];
  return { sshd_config: whenAllKnown(lines, (known) => `${known.join("\n")}\n`) };
}

/** Certificates of the CA are accepted if they name one of the principals. */
function userCaLines(plan: SshdPlan): string[] {
  if (plan.ssh.userCa === undefined) return [];
  return [
    `TrustedUserCAKeys ${sshdPaths.authorizedKeys}/user_ca_keys`,
    `AuthorizedPrincipalsFile ${sshdPaths.authorizedKeys}/principals`,
  ];
}
