/** `drawbridge listen` with the clients that people have: each knows an address, a port, a key and known_hosts alone. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goCommand, silentProgress } from "../../packages/lab/src/index.ts";
import { sshTargetKind } from "../../packages/manifests/src/index.ts";
import { type InstalledCli, installCli } from "../support/clients/cli.ts";
import {
  type LoopbackGateway,
  type LoopbackSshd,
  startGateway,
  startSshd,
} from "../support/clients/loopback-ssh.ts";
import { eventually, expectSuccess, run } from "../support/lab/lab.ts";

const hostName = (name: string) => `${name}.team-a.dev.example.com`;
const clients = fileURLToPath(new URL("listen-clients", import.meta.url));
let cli: InstalledCli;
let sshd: LoopbackSshd;
let gateway: LoopbackGateway;
let listener: ChildProcess;
let said = "";
let folder: string;
let knownHosts: string;
let wrongKnownHosts: string;

/** The port of a container, as `listen` says it. */
const portOf = (name: string) =>
  new RegExp(`^${name} +root +127\\.0\\.0\\.1 +(\\d+)$`, "m").exec(said)?.[1] ?? "";

beforeAll(async () => {
  [cli, sshd, folder] = await Promise.all([
    installCli(),
    startSshd(),
    mkdtemp(join(tmpdir(), "drawbridge-listen-")),
  ]);
  const names = ["dev1", "dev2"];
  gateway = await startGateway(
    Object.fromEntries(names.map((name) => [`${hostName(name)}:22`, { port: sshd.port }])),
  );
  const targets = names.map((name) => ({
    ...{ kind: sshTargetKind, name, namespace: "team-a", user: "root", hostName: hostName(name), port: 22 },
    hostKeys: [sshd.hostPublicKey],
    ways: [{ way: "gateway", address: "127.0.0.1", port: gateway.port }],
    home: "/root",
  }));
  await expectSuccess(cli.run(["ssh-config", "--from", "-"], { input: JSON.stringify(targets) }));
  listener = spawn(join(cli.bin, "drawbridge"), ["listen"], { env: { ...process.env, ...cli.env } });
  for (const stream of [listener.stdout, listener.stderr]) stream?.on("data", (bytes) => (said += bytes));
  await eventually("a port", async () => portOf("dev2") !== "", 20);
  knownHosts = join(cli.home, ".ssh", "known_hosts");
  await expectSuccess(run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, "other")]));
  wrongKnownHosts = join(folder, "wrong_known_hosts");
  const [type, key] = (await readFile(join(folder, "other.pub"), "utf8")).split(" ");
  await writeFile(wrongKnownHosts, `[127.0.0.1]:${portOf("dev1")} ${type} ${key}\n`);
  await chmod(wrongKnownHosts, 0o644);
});

afterAll(async () => {
  listener.kill();
  gateway.stop();
  await Promise.all([sshd.stop(), cli.remove(), rm(folder, { recursive: true })]);
});

/** Programs that log in; each takes the port, known_hosts, a key, and the port that it forwards to. */
const programs: Record<string, () => Promise<string[]>> = {
  OpenSSH: async () => {
    const script = join(folder, "openssh");
    const options =
      '-F none -o BatchMode=yes -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$2" -i "$3"';
    const sftp = `echo "put $0 $3.sftp" | sftp -q -b - ${options} -P "$1" root@127.0.0.1 >&2 && echo copied`;
    const forward = `ssh ${options} -p "$1" -W 127.0.0.1:"$4" root@127.0.0.1 </dev/null | head -c 4`;
    await writeFile(script, `ssh ${options} -p "$1" root@127.0.0.1 echo run && ${sftp} && ${forward}\n`);
    return ["sh", script];
  },
  Paramiko: () => python("paramiko==5.1.0", "paramiko-client.py"),
  asyncssh: () => python("asyncssh==2.24.1", "asyncssh-client.py"),
  libssh: () => python("ssh-python==1.2.0.post1", "libssh-client.py"),
  ssh2: async () => {
    await expectSuccess(run("npm", ["install", "--silent", "--prefix", folder, "ssh2@1.17.0"]));
    await copyFile(join(clients, "ssh2-client.cjs"), join(folder, "ssh2-client.cjs"));
    return ["node", join(folder, "ssh2-client.cjs")];
  },
  "x/crypto/ssh": async () => {
    const source = join(folder, "x-crypto");
    await cp(join(clients, "x-crypto"), source, { recursive: true });
    const program = join(folder, "x-crypto-client");
    const go = await goCommand(silentProgress);
    await expectSuccess(
      run(go, ["build", "-C", source, "-mod=mod", "-o", program, "."], { timeoutSeconds: 600 }),
    );
    return [program];
  },
};

async function python(requirement: string, file: string): Promise<string[]> {
  const place = join(folder, file.replace(".py", ""));
  await expectSuccess(run("python3", ["-m", "venv", place]));
  await expectSuccess(
    run(join(place, "bin", "pip"), ["install", "--quiet", requirement], { timeoutSeconds: 300 }),
  );
  return [join(place, "bin", "python"), join(clients, file)];
}

const asNpm = { NODE_OPTIONS: "" };

describe.each(Object.entries(programs))("%s", (_, program) => {
  let words: string[];

  beforeAll(async () => {
    words = await program();
  });

  const client = (known: string) => {
    const [command = "", ...args] = words;
    return run(command, [...args, portOf("dev1"), known, sshd.userKey, String(sshd.port)], { env: asNpm });
  };

  it("runs a command, copies a file and forwards a port", async () => {
    expect(await client(knownHosts)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^run\ncopied\nSSH-\n?$/),
    });
  });

  it("refuses another host key", async () => {
    const { code, stdout } = await client(wrongKnownHosts);
    expect([code === 0, stdout]).toEqual([false, ""]);
  });
});

describe("drawbridge listen", () => {
  it("opens no way for another account of the computer, and does for its own", async () => {
    const script = `const socket = require("net").connect(${portOf("dev1")}, "127.0.0.1");
      socket.on("data", (bytes) => { process.stdout.write(bytes); socket.destroy(); }).write("SSH-2.0-me\\r\\n");`;
    const as = (uid: number) => text(spawn(process.execPath, ["-e", script], { uid, env: {} }).stdout);
    expect(await as(65_534)).toBe("");
    expect(said).toContain("dev1: a connection is refused: it comes from another account of this computer\n");
    expect(await as(0)).toMatch(/^SSH-2\.0-/);
  });

  it("carries a thousand connections at once", async () => {
    const script = `const net = require("net");
      let greeted = 0;
      const sockets = Array.from({ length: 1000 }, (_, at) => net.connect([${portOf("dev1")}, ${portOf("dev2")}][at % 2], "127.0.0.1"));
      for (const socket of sockets) socket.on("error", () => process.exit(1)).once("data", () => {
        if (++greeted === 1000) { process.stdout.write("all"); process.exit(); }
      });`;
    expect(await run("node", ["-e", script], { env: asNpm, timeoutSeconds: 120 })).toMatchObject({
      code: 0,
      stdout: "all",
    });
  });

  it("ends when the laptop forgets its containers, and leaves no host key behind", async () => {
    await expectSuccess(cli.run(["ssh-config", "--remove"]));
    await eventually("the end", async () => listener.exitCode === 0, 20);
    expect(existsSync(knownHosts)).toBe(false);
  });
});
