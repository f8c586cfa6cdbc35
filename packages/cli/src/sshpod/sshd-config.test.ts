import { expect, it } from "vitest";
import { startScript } from "./scripts.ts";

/** On the pod's loopback only, with keys only: whoever else reaches the pod's address finds nothing there. */
it("starts an sshd that listens on loopback and takes keys only", () => {
  const [, config = ""] = /^ *echo "(ListenAddress .*?)"$/ms.exec(startScript) ?? [];
  expect(config.split("\n")).toEqual([
    "ListenAddress 127.0.0.1",
    "Port $port",
    "HostKey $d/host_key",
    "PidFile $d/pid.$port",
    "SshdSessionPath $b/bin/sshd-session",
    "SshdAuthPath $b/bin/sshd-auth",
    "AuthorizedKeysFile $d/authorized_keys",
    "StrictModes no",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "PermitRootLogin prohibit-password",
    "AllowAgentForwarding yes",
    "AllowTcpForwarding yes",
    "AllowStreamLocalForwarding yes",
    "StreamLocalBindUnlink yes",
    "X11Forwarding no",
    "PrintMotd no",
    "PerSourcePenalties no",
    "MaxSessions 100",
    "MaxStartups 100:30:200",
    "ClientAliveInterval 60",
    "ClientAliveCountMax 10",
    "LogLevel VERBOSE",
    "Subsystem sftp internal-sftp",
  ]);
});
