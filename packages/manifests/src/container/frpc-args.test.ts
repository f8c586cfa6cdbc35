import { describe, expect, it } from "vitest";
import { serverRef } from "../frp/frp.fixture.ts";
import { containerArgs, containerPlan } from "./frpc.fixture.ts";
import { bobKey, faultsOf } from "./plan.fixture.ts";

const noKeys = { authorizedKeys: [] };
const beside = { access: { sshpod: { users: ["alice"] } } };

const access = (frp: Record<string, unknown>, args?: Record<string, unknown>) =>
  faultsOf(containerArgs(frp, args));

describe("a container's access.frp", () => {
  const server = { server: serverRef };
  const { authorizer: _, connectAddress, ...ofOthers } = serverRef;
  const external = { external: ofOthers, connectAddress, token: "x".repeat(32) };
  it.each<[string | string[], Record<string, unknown>, Record<string, unknown>]>([
    [
      "authorizedKeys: no-authorized-key",
      { server: serverRef, enabled: false, authorizedKeys: [bobKey] },
      { ...noKeys, ...beside },
    ],
    ["access.frp: frp-server-missing", {}, {}],
    ["access.frp.external: frp-server-twice", { ...server, ...external }, {}],
    [
      "access.frp.connectAddress: frp-address-missing",
      { server: { ...serverRef, connectAddress: undefined } },
      {},
    ],
    [
      [
        "access.frp.connectAddress: frp-address-missing",
        "access.frp.external.caBundle: frp-ca-missing",
        "access.frp.external.domain: frp-domain-missing",
        "access.frp.token: frp-token-missing",
      ],
      { external: { serverAddr: "frps.example.com" } },
      {},
    ],
    ["access.frp.customDomain: outside-domain", { server: serverRef, customDomain: "dev1.example.com" }, {}],
    ["access.frp.token: too-short", { server: serverRef, token: "secret" }, {}],
    [
      "access.frp.external.connectPort: frp-ports-equal",
      { ...external, external: { ...ofOthers, serverPort: 1337 } },
      {},
    ],
    ["access.frp.username: frp-username-differs", { server: serverRef, username: "runtime" }, {}],
    ["access.frp: frp-without-sshd", server, { ssh: { mode: "none" }, authorizedKeys: [] }],
  ])("%s", (expected, frp, args) => {
    expect(access(frp, args)).toEqual([expected].flat());
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["a server's ref", server, {}],
    ["nothing, while it is not enabled beside another way", { enabled: false }, beside],
    ["an frps of one's own", external, {}],
    [
      "TLS on another host's port 7000",
      { ...external, external: { ...ofOthers, connectTls: true, connectPort: 7000 } },
      {},
    ],
    ["keys for this way in and no others", { server: serverRef, authorizedKeys: [bobKey] }, noKeys],
    ["another name below the suffix", { server: serverRef, customDomain: "box.team-a.ssh.example.com" }, {}],
  ])("takes %s", (_, frp, args) => {
    expect(access(frp, args)).toEqual([]);
  });

  it("needs a token where the host key has no seed to derive one from", () => {
    const args = { hostKey: { privateKey: "-----BEGIN OPENSSH PRIVATE KEY-----" } };
    expect(access({ server: serverRef }, args)).toEqual(["access.frp.token: frp-token-not-derivable"]);
    expect(access({ server: serverRef, token: "x".repeat(32) }, args)).toEqual([]);
  });

  it("names the container after namespace and suffix, or as told", () => {
    expect(containerPlan().frpc?.hostName).toBe("dev1.team-a.ssh.example.com");
    const named = { server: serverRef, customDomain: "box.team-a.ssh.example.com" };
    expect(containerPlan(named).frpc?.hostName).toBe("box.team-a.ssh.example.com");
    expect(containerPlan({ enabled: false }, beside).frpc).toBe(undefined);
  });

  it("joins its keys to the container's and its name to the known ones", () => {
    const plan = containerPlan({ server: serverRef, authorizedKeys: [bobKey] });
    expect((plan.authorizedKeys as string[]).map((line) => line.split(" ")[2])).toEqual(["alice", "bob"]);
    expect(plan.knownNames).toEqual(["dev1.team-a.ssh.example.com", "dev1.team-a.svc.cluster.local"]);
  });
});
