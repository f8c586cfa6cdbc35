import { describe, expect, it } from "vitest";
import { aliceKey, bobKey, faultsOf, gateway, seed } from "./plan.fixture.ts";

const bundle = { mode: "injected", image: "sshd-bundle:1" };

describe("invalid arguments of images, sshd and keys", () => {
  it.each<[string | string[], Record<string, unknown>]>([
    [": unknown-key", { nmae: "x" }],
    ["namespace: missing", { namespace: undefined }],
    ["image: not-a-pinned-image", { image: "ubuntu" }],
    ["image: not-a-pinned-image", { image: "ubuntu:latest" }],
    ["imagePullPolicy: not-one-of", { imagePullPolicy: "Sometimes" }],
    ["ssh.mode: not-one-of", { ssh: { mode: "inject" } }],
    [
      ["ssh.loginGraceSeconds: out-of-range", "ssh.maxStartups: out-of-range"],
      { ssh: { loginGraceSeconds: 0, maxStartups: 1 } },
    ],
    ["ssh.image: ssh-image-missing", { ssh: { mode: "injected" } }],
    ["ssh.image: ssh-image-missing", { ssh: { mode: "sidecar" } }],
    ["ssh.image: ssh-image-unused", { ssh: { image: "x:1" } }],
    ["command: command-replaces-sshd", { command: ["x"] }],
    ["args: args-without-command", { ssh: bundle, args: ["x"] }],
    ["runImageCommand: image-command-without-injected", { runImageCommand: true }],
    ["runImageCommand: image-command-and-command", { ssh: bundle, runImageCommand: true, command: ["x"] }],
    ["access.gateway: gateway-without-sshd", { ssh: { mode: "none" }, access: { gateway } }],
    ["startupScript: startup-script-without-sshd", { ssh: { mode: "none" }, startupScript: "#!/bin/sh" }],
    ["access: no-way-in", { access: { frp: { enabled: false } } }],
    ["user.name: root-user-without-root", { user: { name: "root", uid: 0, gid: 0 } }],
    ["authorizedKeys: no-authorized-key", { authorizedKeys: [] }],
    ["authorizedKeys[0]: private-key", { authorizedKeys: ["-----BEGIN OPENSSH PRIVATE KEY-----"] }],
    ["authorizedKeys[1]: key-twice", { authorizedKeys: [aliceKey, `restrict ${aliceKey}`] }],
    ["userCa.keys: no-ca-key", { userCa: { keys: [] } }],
    ["userCa.principals[0]: not-a-principal", { userCa: { keys: [bobKey], principals: ["a b"] } }],
    ["hostKey: host-key-missing", { hostKey: undefined }],
    ["hostKey: host-key-sources", { hostKey: {} }],
    ["hostKey: host-key-sources", { hostKey: { seed, privateKey: "x" } }],
    ["hostKey.next: host-key-sources", { hostKey: { seed, next: {} } }],
    ["hostKey.seed: too-short", { hostKey: { seed: "hunter2" } }],
  ])("%s", (faults, args) => {
    expect(faultsOf(args)).toEqual([faults].flat());
  });

  it("come all at once", () => {
    expect(faultsOf({ image: "x", authorizedKeys: [], persist: ["/home"], ssh: { port: 0 } })).toHaveLength(
      4,
    );
  });
});
