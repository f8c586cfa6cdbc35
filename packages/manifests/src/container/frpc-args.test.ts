import { describe, expect, it } from "vitest";
import { serverRef } from "../frp/frp.fixture.ts";
import { containerArgs, containerPlan } from "./frpc.fixture.ts";
import { bobKey, faultsOf } from "./plan.fixture.ts";

const noKeys = { authorizedKeys: [] };
const beside = { access: { sshpod: { users: ["alice"] } } };

const access = (frp: Record<string, unknown>, args?: Record<string, unknown>) =>
  faultsOf(containerArgs(frp, args));

describe("a container's access.frp", () => {
  const external = { ...serverRef, authorizer: undefined };
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ["a server's ref", serverRef, {}, []],
    ["nothing, while it is not enabled beside another way", { enabled: false }, beside, []],
    ["an frps of one's own", { ...external, token: "x".repeat(32) }, {}, []],
    ["TLS on another host's port 7000", { ...serverRef, connectTls: true, connectPort: 7000 }, {}, []],
    ["keys for this way in and no others", { ...serverRef, authorizedKeys: [bobKey] }, noKeys, []],
    [
      "keys for a way in that is closed",
      { ...serverRef, enabled: false, authorizedKeys: [bobKey] },
      { ...noKeys, ...beside },
      ["authorizedKeys: no-authorized-key"],
    ],
    ["another name below the suffix", { ...serverRef, clientDomain: "box.team-a.ssh.example.com" }, {}, []],
    [
      "enabled without a server: all at once",
      {},
      {},
      [
        "access.frp.caBundle: frp-ca-missing",
        "access.frp.connectHost: frp-host-missing",
        "access.frp.domainSuffix: frp-domain-missing",
        "access.frp.serverAddr: frp-server-missing",
        "access.frp.token: frp-token-missing",
      ],
    ],
    [
      "a domain outside the suffix",
      { ...serverRef, clientDomain: "dev1.example.com" },
      {},
      ["access.frp.clientDomain: outside-domain-suffix"],
    ],
    [
      "a short token, whose value is not repeated",
      { ...serverRef, token: "secret" },
      {},
      ["access.frp.token: too-short"],
    ],
    [
      "one port for both",
      { ...serverRef, serverPort: 1337 },
      {},
      ["access.frp.connectPort: frp-ports-equal"],
    ],
    [
      "another user than sshd's",
      { ...serverRef, username: "runtime" },
      {},
      ["access.frp.username: frp-username-differs"],
    ],
    [
      "no sshd to lead to",
      serverRef,
      { ssh: { mode: "none" }, authorizedKeys: [] },
      ["access.frp: frp-without-sshd"],
    ],
  ])("%s", (_name, frp, args, expected) => {
    expect(access(frp, args)).toEqual(expected);
  });

  it("needs a token where the host key has no seed to derive one from", () => {
    const args = { hostKey: { privateKey: "-----BEGIN OPENSSH PRIVATE KEY-----" } };
    expect(access(serverRef, args)).toEqual(["access.frp.token: frp-token-not-derivable"]);
    expect(access({ ...serverRef, token: "x".repeat(32) }, args)).toEqual([]);
  });

  it("names the container after namespace and suffix, or as told", () => {
    expect(containerPlan().frpc?.hostName).toBe("dev1.team-a.ssh.example.com");
    const named = { ...serverRef, clientDomain: "box.team-a.ssh.example.com" };
    expect(containerPlan(named).frpc?.hostName).toBe("box.team-a.ssh.example.com");
    expect(containerPlan({ enabled: false }, beside).frpc).toBe(undefined);
  });

  it("joins its keys to the container's and its name to the known ones", () => {
    const plan = containerPlan({ ...serverRef, authorizedKeys: [bobKey] });
    expect(plan.authorizedKeys.map((line) => String(line).split(" ")[2])).toEqual(["alice", "bob"]);
    expect(plan.knownNames).toEqual(["dev1.team-a.ssh.example.com", "dev1.team-a.svc.cluster.local"]);
  });
});
