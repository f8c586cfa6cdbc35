import { describe, expect, it } from "vitest";
import { aliceKey, bobKey, faultsOf, gateway, seed } from "./plan.fixture.ts";

const bundle = { mode: "injected", image: "sshd-bundle:1" };

describe("invalid arguments of images, sshd and keys", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["a misspelt key", { nmae: "x" }, [': unknown key "nmae"; did you mean "name"?']],
    ["no namespace", { namespace: undefined }, ["namespace: is missing; give a string"]],
    ["no tag", { image: "ubuntu" }, [expect.stringMatching(/^image: "ubuntu" is not a pinned image; /)]],
    [
      "latest",
      { image: "ubuntu:latest" },
      [expect.stringMatching(/^image: "ubuntu:latest" is not a pinned image; /)],
    ],
    [
      "another pull policy",
      { imagePullPolicy: "Sometimes" },
      ['imagePullPolicy: "Sometimes" is not one of Always, IfNotPresent, Never'],
    ],
    [
      "another mode",
      { ssh: { mode: "inject" } },
      ['ssh.mode: "inject" is not one of image, injected, sidecar, none; did you mean "injected"?'],
    ],
    [
      "no time to log in, and no room",
      { ssh: { loginGraceSeconds: 0, maxStartups: 1 } },
      [
        "ssh.loginGraceSeconds: 0 is out of range; give a whole number of seconds from 5 to 600",
        "ssh.maxStartups: 1 is out of range; give a whole number of connections from 2 to 10000",
      ],
    ],
    [
      "injected without an image",
      { ssh: { mode: "injected" } },
      ['ssh.image: is missing; mode "injected" needs the sshd-bundle image'],
    ],
    [
      "a sidecar without an image",
      { ssh: { mode: "sidecar" } },
      ['ssh.image: is missing; mode "sidecar" needs the image whose shell one lands in'],
    ],
    [
      "an image that has no use",
      { ssh: { image: "x:1" } },
      ['ssh.image: has no use in mode "image"; remove it, or choose mode injected or sidecar'],
    ],
    [
      "a command over the image's sshd",
      { command: ["x"] },
      ["command: would replace the image's start of sshd; give args, which run beside it"],
    ],
    [
      "arguments without a command",
      { ssh: bundle, args: ["x"] },
      ["args: needs a command: the image's own entry point is not started in mode injected"],
    ],
    [
      "the image's command in another mode",
      { runImageCommand: true },
      ['runImageCommand: is for mode "injected"; mode "image" decides this by itself'],
    ],
    [
      "the image's command and another",
      { ssh: bundle, runImageCommand: true, command: ["x"] },
      ["runImageCommand: excludes command and args; remove them, or set it to false"],
    ],
    [
      "a gateway without sshd",
      { ssh: { mode: "none" }, access: { gateway } },
      ['access.gateway: has no use without sshd; remove it, or choose another ssh.mode than "none"'],
    ],
    [
      "a start-up script without sshd",
      { ssh: { mode: "none" }, startupScript: "#!/bin/sh" },
      ['startupScript: is started with sshd; choose another ssh.mode than "none"'],
    ],
    [
      "no way in",
      { access: { frp: { enabled: false } } },
      ["access: names no way in, so nobody could log in; give gateway, frp or sshpod"],
    ],
    [
      "root",
      { user: { name: "root", uid: 0, gid: 0 } },
      ["user.name: root needs root: true, which puts the pod into a user namespace"],
    ],
    [
      "no key",
      { authorizedKeys: [] },
      ["authorizedKeys: holds no key, so nobody could log in; give at least one public key line"],
    ],
    [
      "a private key",
      { authorizedKeys: ["-----BEGIN OPENSSH PRIVATE KEY-----"] },
      ["authorizedKeys[0]: is a private key; give the public one, the line in the file that ends in .pub"],
    ],
    [
      "a key given twice",
      { authorizedKeys: [aliceKey, `restrict ${aliceKey}`] },
      ["authorizedKeys[1]: is the same key as authorizedKeys[0]; give each key once"],
    ],
    [
      "a CA without keys",
      { userCa: { keys: [] } },
      ["userCa.keys: holds no key; give the public key of the certificate authority"],
    ],
    [
      "a principal with a space",
      { userCa: { keys: [bobKey], principals: ["a b"] } },
      ["userCa.principals[0]: is not a principal; use at most 64 letters, digits and . _ @ + -"],
    ],
    [
      "no host key",
      { hostKey: undefined },
      ["hostKey: is missing; give its seed (derived per container) or privateKey (your own ed25519 key)"],
    ],
    [
      "an empty host key",
      { hostKey: {} },
      ["hostKey: needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)"],
    ],
    [
      "both kinds of host key",
      { hostKey: { seed, privateKey: "x" } },
      ["hostKey: needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)"],
    ],
    [
      "an empty next host key",
      { hostKey: { seed, next: {} } },
      [
        "hostKey.next: needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)",
      ],
    ],
    [
      "a short seed, not repeated",
      { hostKey: { seed: "hunter2" } },
      [
        "hostKey.seed: is too short (7 characters); give at least 32, for example from: openssl rand -base64 32",
      ],
    ],
  ])("%s", (_, args, faults) => {
    expect(faultsOf(args)).toEqual(faults);
  });

  it("come all at once", () => {
    expect(faultsOf({ image: "x", authorizedKeys: [], persist: ["/home"], ssh: { port: 0 } })).toHaveLength(
      4,
    );
  });
});
