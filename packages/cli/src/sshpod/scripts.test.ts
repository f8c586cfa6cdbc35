import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  placeBusyboxScript,
  probeScript,
  readAnswers,
  startScript,
  unpackScript,
  unpackWithBusyboxScript,
} from "./scripts.ts";

const scripts = { probeScript, placeBusyboxScript, startScript, unpackScript, unpackWithBusyboxScript };

describe("the scripts", () => {
  it.each(Object.entries(scripts))("%s is shell that every sh reads", async (_name, script) => {
    const { stderr } = await promisify(execFile)("sh", ["-n", "-c", script]);
    expect(stderr).toBe("");
    // The whole script is part of the request's URL, of which API servers and proxies take 8 KiB and more.
    expect(new URLSearchParams({ command: script }).toString().length).toBeLessThan(6000);
    expect(script.split("\n").filter((line) => !/^[^\s#]/.test(line))).toEqual([""]);
  });

  it("say what this machine is", async () => {
    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      probeScript,
      "sshpod",
      "0",
      "shared",
      "none",
      "root",
    ]);
    const answers = readAnswers(stdout);
    expect(answers.get("uid")).toBe(String(process.getuid?.()));
    expect(answers.get("requested")).toBe("0");
    expect(answers.get("machine")).toMatch(/^(x86_64|aarch64)$/);
    expect(answers.has("port")).toBe(false);
  });
});

it("reads answers, and joins those that come twice", () => {
  const output = "uid 1000 \r\nbundle a\nbundle b\nshell \nnonsense\n nothing\nx y z\n";
  expect(readAnswers(output)).toEqual(
    new Map([
      ["uid", "1000"],
      ["bundle", "a b"],
      ["shell", ""],
      ["x", "y z"],
    ]),
  );
});

/** On the pod's loopback only, with keys only: anyone else who reaches the pod's address finds nothing there. */
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
