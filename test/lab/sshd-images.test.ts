import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureImages, silentProgress } from "@drawbridge-iac/lab";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { eventually, Laptop, run } from "../support/lab/lab.ts";
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

  const bundle = { "/drawbridge/etc/passwd": "dev:x:1000:1000::/home/dev:/bin/sh\n" };
  const start = ["/drawbridge/bin/busybox", "sh", "/drawbridge/bin/drawbridge-sshd"];

  test("login, environment, terminal, scp and exit code; a changed key counts at the next login", async () => {
    await root.start({
      command: start,
      env: { HOME: "/home/dev", GREETING: 'say "hi"\\ now' },
      files: { ...bundle, ...mounted(sshdConfig(port)) },
      writable: ["/home/dev", "/run/drawbridge"],
    });
    await listening();
    await laptop.configure(hostBlock("dev"), knownHosts());

    const login = await laptop.ssh(["box", 'id -u; echo "$GREETING"; pwd; exit 7']);
    expect(login).toEqual({ code: 7, stdout: '1000\nsay "hi"\\ now\n/home/dev\n', stderr: "" });
    const terminal = await laptop.ssh(["-tt", "-o", "LogLevel=ERROR", "box", "test -t 0 && tty"]);
    expect(terminal).toEqual({ code: 0, stdout: "/dev/pts/0\r\n", stderr: "" });
    const probe = "/drawbridge/bin/busybox sh /drawbridge/bin/sshd-listens";
    expect(await probed(probe, "/drawbridge/bin/busybox nc -l -p")).toBe("0\n1\n0\n");
    const copied = await laptop.scp([laptop.keyFile, "box:copy"]);
    expect(copied.code).toBe(0);
    expect(await root.read("/home/dev/copy")).toBe(await readFile(laptop.keyFile, "utf8"));

    const other = await Laptop.create("bob");
    try {
      await writeFile(join(root.folder, keysFile), `${other.publicKey}\n`);
      await other.configure(hostBlock("dev"), knownHosts());
      expect((await other.ssh(["box", "echo in"])).stdout).toBe("in\n");
      expect((await laptop.ssh(["box", "echo in"])).code).toBe(255);
    } finally {
      await other.remove();
    }
  });

  test("runs from any folder", async () => {
    const folder = "/tmp/sshpod";
    await run("mv", [join(root.folder, "drawbridge"), join(root.folder, folder)]);
    const config = [
      ...sshdConfig(port),
      `SshdSessionPath ${folder}/bin/sshd-session`,
      `SshdAuthPath ${folder}/bin/sshd-auth`,
    ];
    await root.start({
      // The host key must be private to its owner, which files of this test are not.
      command: [
        "/bin/sh",
        "-euc",
        `umask 077; cat /etc/drawbridge/host-keys/* >/run/drawbridge/${hostKeyName}; exec ${folder}/bin/sshd -D -e -f /etc/drawbridge/sshd/sshd_config`,
      ],
      files: { [`${folder}/etc/passwd`]: bundle["/drawbridge/etc/passwd"], ...mounted(config) },
      writable: ["/home/dev", "/run/drawbridge"],
    });
    await listening();
    await laptop.configure(hostBlock("dev"), knownHosts());
    expect(await laptop.ssh(["box", "pwd"])).toEqual({ code: 0, stdout: "/home/dev\n", stderr: "" });
  });

  test("beside the image's own command, whose end ends the container", async () => {
    await root.start({
      command: [...start, "/bin/sh", "-c", "echo own command; until [ -e $HOME/stop ]; do sleep 0.1; done"],
      env: { HOME: "/home/dev" },
      files: { ...bundle, ...mounted(sshdConfig(port)) },
      writable: ["/home/dev", "/run/drawbridge"],
    });
    await listening();
    expect(root.log).toContain("own command\n");
    await laptop.configure(hostBlock("dev"), knownHosts());
    expect((await laptop.ssh(["box", "touch stop"])).code).toBe(0);
    await eventually("the end of the container", async () => root.ended, 10);
  });

  test("says which mount is missing", async () => {
    await root.start({
      command: start,
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

  test("jovyan logs in, with the container's PATH in command and login shells and a prepared home", async () => {
    const path = "/opt/conda/bin:/usr/local/bin:/usr/bin:/bin";
    await root.start({
      command: ["/usr/local/bin/drawbridge-sshd"],
      env: { HOME: "/home/jovyan", PATH: path },
      files: mounted(sshdConfig(port)),
      writable: ["/home/jovyan", "/run/drawbridge"],
    });
    await listening();
    await laptop.configure(hostBlock("jovyan"), knownHosts());
    expect(await laptop.ssh(["box", "id; echo $PATH; umask"])).toEqual({
      code: 0,
      stdout: `uid=1000(jovyan) gid=1000(jovyan) groups=1000(jovyan)\n${path}\n0022\n`,
      stderr: "",
    });
    const login = await laptop.ssh(["box", "bash -lc 'echo $PATH'; ls -A"]);
    expect(login.stdout).toBe(`${path}\n.bash_logout\n.bashrc\n.profile\n`);
    expect(await probed("/usr/local/lib/drawbridge/sshd-listens", "nc -l")).toBe("0\n1\n0\n");
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

/** The probe on sshd's port, on one where nobody listens, and on one where somebody soon will. */
async function probed(probe: string, listen: string): Promise<string> {
  const late = await freePort();
  const soon = `{ sleep 0.3; ${listen} ${late} </dev/null >/dev/null & sleep 3; kill $!; } & ${probe} ${late}; echo $?`;
  return (await laptop.ssh(["box", `${probe} ${port}; echo $?; ${probe} 1; echo $?; ${soon}`])).stdout;
}

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
    // One test logs in with a key that is refused.
    "PerSourcePenalties no",
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
