/** `drawbridge listen` on a laptop: who gets in, how many, and how it ends. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sshTargetKind } from "../../packages/drawbridge/src/host/client-texts/target.ts";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { expectSuccess, run } from "../../scripts/lib/lab/lab.ts";
import { type Listening, startListen } from "../support/clients/listening.ts";
import {
  type LoopbackGateway,
  type LoopbackSshd,
  startGateway,
  startSshd,
} from "../support/clients/loopback-ssh.ts";

const hostName = (name: string) => `${name}.team-a.dev.example.com`;
let cli: InstalledCli;
let sshd: LoopbackSshd;
let gateway: LoopbackGateway;
let listening: Listening;
let folder: string;
let knownHosts: string;

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
  listening = await startListen(cli, targets);
  knownHosts = join(cli.home, ".ssh", "known_hosts");
});

afterAll(async () => {
  listening.stop();
  gateway.stop();
  await Promise.all([sshd.stop(), cli.remove(), rm(folder, { recursive: true })]);
});

const asNpm = { NODE_OPTIONS: "" };

describe("drawbridge listen", () => {
  it("opens no way for another account of the computer, and does for its own", async () => {
    const script = `const socket = require("net").connect(${listening.portOf("dev1")}, "127.0.0.1");
      socket.on("data", (bytes) => { process.stdout.write(bytes); socket.destroy(); }).write("SSH-2.0-me\\r\\n");`;
    const as = (uid: number) => text(spawn(process.execPath, ["-e", script], { uid, env: {} }).stdout);
    expect(await as(65_534)).toBe("");
    expect(listening.said()).toContain(
      "dev1: a connection is refused: it comes from another account of this computer\n",
    );
    expect(await as(0)).toMatch(/^SSH-2\.0-/);
  });

  it("carries a thousand connections at once", async () => {
    const script = `const net = require("net");
      let greeted = 0;
      const sockets = Array.from({ length: 1000 }, (_, at) => net.connect([${listening.portOf("dev1")}, ${listening.portOf("dev2")}][at % 2], "127.0.0.1"));
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
    expect(await listening.ended).toBe(0);
    expect(existsSync(knownHosts)).toBe(false);
  });
});
