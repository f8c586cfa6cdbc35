import { readFile } from "node:fs/promises";
import { ensureImages, silentProgress } from "@drawbridge-iac/lab";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../../scripts/lib/free-port.ts";
import { eventually, Laptop } from "../../scripts/lib/lab/lab.ts";
import { ImageRoot } from "./image-root.fixture.ts";

const banner = "Server listening on";
let laptop: Laptop;
let root: ImageRoot;
let port: number;
let hostKey: { private: string; public: string };

beforeEach(async () => {
  laptop = await Laptop.create();
  port = await freePort();
  hostKey = await makeHostKey();
});

afterEach(async () => {
  await root.remove();
  await laptop.remove();
});

describe("the sshd bundle in an image that has a busybox and nothing else", () => {
  beforeEach(async () => {
    const images = await ensureImages(["busybox", "sshd-bundle"], silentProgress);
    root = await ImageRoot.unpack(images.busybox.tar);
    await root.add(images["sshd-bundle"].tar);
  });

  test("says which mount is missing", async () => {
    await root.start({
      command: ["/drawbridge/bin/busybox", "sh", "/drawbridge/bin/drawbridge-sshd"],
      env: { HOME: "/home/dev" },
      writable: ["/home/dev", "/run/drawbridge"],
    });
    await eventually("the end of the container", async () => root.ended, 10);
    expect(root.log).toBe(
      "drawbridge-sshd: cannot read a host key as /etc/drawbridge/host-keys/ssh_host_*; mount a Secret with ssh_host_ed25519_key there, readable by the pod's fsGroup.\n",
    );
  });
});

describe("the dev container image", () => {
  beforeEach(async () => {
    const images = await ensureImages(["devcontainer"], silentProgress);
    root = await ImageRoot.unpack(images.devcontainer.tar);
  });

  test("a home that nobody can write keeps nobody out", async () => {
    await root.start({
      command: ["/usr/local/bin/drawbridge-sshd"],
      env: { HOME: "/nowhere" },
      files: mounted(sshdConfig(port)),
      writable: ["/run/drawbridge"],
    });
    await listening();
    await laptop.configure(hostBlock("jovyan"), knownHosts());
    expect(await laptop.ssh(["box", "echo in"])).toMatchObject({ code: 0, stdout: "in\n" });
  });
});

const hostKeyName = "ssh_host_ed25519_key";
const keysFile = "/etc/drawbridge/authorized-keys/authorized_keys";

function mounted(config: readonly string[]): Record<string, string> {
  return {
    "/etc/drawbridge/sshd/sshd_config": `${config.join("\n")}\n`,
    [`/etc/drawbridge/host-keys/${hostKeyName}`]: hostKey.private,
    [keysFile]: `${laptop.publicKey}\n`,
  };
}

function sshdConfig(listenPort: number): string[] {
  return [
    `Port ${listenPort}`,
    "ListenAddress 127.0.0.1",
    `HostKey /run/drawbridge/${hostKeyName}`,
    "PidFile none",
    "UsePAM no",
    "AuthenticationMethods publickey",
    `AuthorizedKeysFile ${keysFile}`,
    "StrictModes no",
    "Subsystem sftp internal-sftp",
  ];
}

function hostBlock(user: string): string {
  return `Host box\n  HostName 127.0.0.1\n  Port ${port}\n  User ${user}\n`;
}

function knownHosts(): string {
  return `[127.0.0.1]:${port} ${hostKey.public}\n`;
}

async function listening(): Promise<void> {
  await eventually(
    "sshd listening",
    async () => root.log.includes(`${banner} 127.0.0.1 port ${port}`),
    20,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; its log:\n${root.log}`);
  });
}

async function makeHostKey(): Promise<typeof hostKey> {
  const host = await Laptop.create("host");
  try {
    return { private: await readFile(host.keyFile, "utf8"), public: host.publicKey };
  } finally {
    await host.remove();
  }
}
