import { describe, expect, it } from "vitest";
import { aliceKey, bobKey, faultsOf, gateway, seed } from "./plan.fixture.ts";

const bundle = { mode: "injected", image: "sshd-bundle:1" };

describe("invalid arguments of images, sshd and keys", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["a misspelt key", { nmae: "x" }, [": unknown-key"]],
    ["no namespace", { namespace: undefined }, ["namespace: missing"]],
    ["no tag", { image: "ubuntu" }, ["image: not-a-pinned-image"]],
    ["latest", { image: "ubuntu:latest" }, ["image: not-a-pinned-image"]],
    ["another pull policy", { imagePullPolicy: "Sometimes" }, ["imagePullPolicy: not-one-of"]],
    ["another mode", { ssh: { mode: "inject" } }, ["ssh.mode: not-one-of"]],
    [
      "no time to log in, and no room",
      { ssh: { loginGraceSeconds: 0, maxStartups: 1 } },
      ["ssh.loginGraceSeconds: out-of-range", "ssh.maxStartups: out-of-range"],
    ],
    ["injected without an image", { ssh: { mode: "injected" } }, ["ssh.image: ssh-image-missing"]],
    ["a sidecar without an image", { ssh: { mode: "sidecar" } }, ["ssh.image: ssh-image-missing"]],
    ["an image that has no use", { ssh: { image: "x:1" } }, ["ssh.image: ssh-image-unused"]],
    ["a command over the image's sshd", { command: ["x"] }, ["command: command-replaces-sshd"]],
    ["arguments without a command", { ssh: bundle, args: ["x"] }, ["args: args-without-command"]],
    [
      "the image's command in another mode",
      { runImageCommand: true },
      ["runImageCommand: image-command-without-injected"],
    ],
    [
      "the image's command and another",
      { ssh: bundle, runImageCommand: true, command: ["x"] },
      ["runImageCommand: image-command-and-command"],
    ],
    [
      "a gateway without sshd",
      { ssh: { mode: "none" }, access: { gateway } },
      ["access.gateway: gateway-without-sshd"],
    ],
    [
      "a start-up script without sshd",
      { ssh: { mode: "none" }, startupScript: "#!/bin/sh" },
      ["startupScript: startup-script-without-sshd"],
    ],
    ["no way in", { access: { frp: { enabled: false } } }, ["access: no-way-in"]],
    ["root", { user: { name: "root", uid: 0, gid: 0 } }, ["user.name: root-user-without-root"]],
    ["no key", { authorizedKeys: [] }, ["authorizedKeys: no-authorized-key"]],
    [
      "a private key",
      { authorizedKeys: ["-----BEGIN OPENSSH PRIVATE KEY-----"] },
      ["authorizedKeys[0]: private-key"],
    ],
    [
      "a key given twice",
      { authorizedKeys: [aliceKey, `restrict ${aliceKey}`] },
      ["authorizedKeys[1]: key-twice"],
    ],
    ["a CA without keys", { userCa: { keys: [] } }, ["userCa.keys: no-ca-key"]],
    [
      "a principal with a space",
      { userCa: { keys: [bobKey], principals: ["a b"] } },
      ["userCa.principals[0]: not-a-principal"],
    ],
    ["no host key", { hostKey: undefined }, ["hostKey: host-key-missing"]],
    ["an empty host key", { hostKey: {} }, ["hostKey: host-key-sources"]],
    ["both kinds of host key", { hostKey: { seed, privateKey: "x" } }, ["hostKey: host-key-sources"]],
    ["an empty next host key", { hostKey: { seed, next: {} } }, ["hostKey.next: host-key-sources"]],
    ["a short seed, not repeated", { hostKey: { seed: "hunter2" } }, ["hostKey.seed: too-short"]],
  ])("%s", (_, args, faults) => {
    expect(faultsOf(args)).toEqual(faults);
  });

  it("come all at once", () => {
    expect(faultsOf({ image: "x", authorizedKeys: [], persist: ["/home"], ssh: { port: 0 } })).toHaveLength(
      4,
    );
  });
});
