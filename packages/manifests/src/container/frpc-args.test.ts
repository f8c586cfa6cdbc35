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
      ["authorizedKeys: holds no key, so nobody could log in; give at least one public key line"],
    ],
    ["another name below the suffix", { ...serverRef, clientDomain: "box.team-a.ssh.example.com" }, {}, []],
    [
      "enabled without a server: all at once",
      {},
      {},
      [
        "access.frp.caBundle: is missing, so frpc could not tell frps from an impostor; give the CA's PEM, or unverifiedTls: true for an frps without a certificate of its own",
        "access.frp.connectHost: is missing, so clients have no address to connect to; give the ref of a FrpServer (access: { frp: frp.ref }), or the fields of an frps that runs",
        "access.frp.domainSuffix: is missing, so the container has no name; give the ref of a FrpServer (access: { frp: frp.ref }), or the fields of an frps that runs",
        "access.frp.serverAddr: is missing, so frpc has no server to register with; give the ref of a FrpServer (access: { frp: frp.ref }), or the fields of an frps that runs",
        "access.frp.token: is missing; an frps of your own needs its auth.token here (at least 32 characters)",
      ],
    ],
    [
      "a domain outside the suffix",
      { ...serverRef, clientDomain: "dev1.example.com" },
      {},
      [
        'access.frp.clientDomain: "dev1.example.com" is outside domainSuffix; give a name that ends in ".ssh.example.com"',
      ],
    ],
    [
      "a short token, whose value is not repeated",
      { ...serverRef, token: "secret" },
      {},
      [
        "access.frp.token: is too short (6 characters); give at least 32, for example from: openssl rand -base64 32",
      ],
    ],
    [
      "one port for both",
      { ...serverRef, serverPort: 1337 },
      {},
      ["access.frp.connectPort: is 1337, the same as serverPort; frpc and ssh clients need a port each"],
    ],
    [
      "another user than sshd's",
      { ...serverRef, username: "runtime" },
      {},
      [
        'access.frp.username: "runtime" is not the container\'s user "jovyan", the only one that sshd lets in; leave it out or give the same name in user.name',
      ],
    ],
    [
      "no sshd to lead to",
      serverRef,
      { ssh: { mode: "none" }, authorizedKeys: [] },
      ['access.frp: needs an sshd to lead to, and ssh.mode is "none"; choose another mode or leave frp out'],
    ],
  ])("%s", (_name, frp, args, expected) => {
    expect(access(frp, args)).toEqual(expected);
  });

  it("needs a token where the host key has no seed to derive one from", () => {
    const args = { hostKey: { privateKey: "-----BEGIN OPENSSH PRIVATE KEY-----" } };
    expect(access(serverRef, args)).toEqual([
      "access.frp.token: is missing and cannot be derived, since hostKey has no seed; give a token of at least 32 characters",
    ]);
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
