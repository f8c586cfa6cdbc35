/** What a client meets at a loopback port; behind it stands a CONNECT gateway with an echo for sshd. */

import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { heldLine } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { KnownStacks } from "../known-stacks.ts";
import { listening } from "../machine.fixture.ts";
import { sshTarget } from "../ssh-target.fixture.ts";
import { podWithoutSshd, startApi } from "../sshpod/api.fixture.ts";
import { hostAndPort } from "./loopback-ports.ts";
import { LoopbackServers } from "./loopback-servers.ts";

const greeting = "SSH-2.0-echo\r\n";
const gateway = http.createServer();
const tunnels: string[] = [];
const asked: string[] = [];
const closed: string[] = [];
let gatewayPort: number;
const folder = temporaryFolder();

beforeAll(async () => {
  gateway.on("connect", ({ url = "" }, socket) => {
    tunnels.push(url);
    if (url.startsWith("asleep.")) {
      socket.write(`HTTP/1.1 200 OK\r\n\r\n${heldLine}\r\n`);
      socket.on("data", (bytes) => asked.push(bytes.toString()));
      socket.on("end", () => socket.end()).on("close", () => closed.push(url));
      return;
    }
    if (url.startsWith("gone.")) return socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    socket.write(`HTTP/1.1 200 OK\r\n\r\n${greeting}`);
    socket.pipe(socket);
  });
  gatewayPort = await listening(gateway);
});
afterAll(() => void gateway.close());

/** Those of the servers that are asked now: a client of an earlier test may be missed late. */
let warnings: string[] = [];
const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  tunnels.splice(0);
});

const known = (name: string) => {
  const gateway = { way: "gateway" as const, address: "127.0.0.1", port: gatewayPort };
  const pod = { way: "sshpod" as const, pod: "dev1-0", namespace: "team-a" };
  const ways = [name === "down" ? pod : { ...gateway, tls: false, mutual: false }];
  const target = sshTarget({ name, hostName: `${name}.dev.example.com`, ways });
  return { alias: name, target, options: {}, source: "a", tls: {} };
};

/** A laptop's servers, and the table that they print for these containers with these ports. */
async function serving(ports: Readonly<Record<string, number>>, knownHosts = join(folder, "known_hosts")) {
  const own: string[] = [];
  warnings = own;
  const servers = new LoopbackServers(knownHosts, (warning) => own.push(warning));
  const follow = (wanted: Readonly<Record<string, number>>) => {
    const targets = Object.keys(wanted).map(known);
    const loopback = Object.fromEntries(
      targets.map(({ alias, target }) => [hostAndPort(target), wanted[alias] ?? 0]),
    );
    const saved: KnownStacks = { targets, storages: [], loopback };
    return servers.follow(saved);
  };
  stops.push(() => follow({}));
  return { follow, table: await follow(ports) };
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  const port = await listening(server);
  server.close();
  return port;
}

/** What the port answers to these bytes, until it closes. */
const answer = (port: number, bytes: string) =>
  text(net.connect(port, "127.0.0.1").end(bytes)).catch((error: NodeJS.ErrnoException) => error.code);

it("carries both ways, and pins the host key for the port", async () => {
  const port = await freePort();
  await writeFile(join(folder, "known_hosts"), "mine ssh-ed25519 AAAA\n");
  const { table } = await serving({ dev1: port });
  expect(table).toBe(`NAME  USER    HOST       PORT\ndev1  jovyan  127.0.0.1  ${port}\n`);
  expect(await answer(port, "SSH-2.0-me\r\nhello")).toBe(`${greeting}SSH-2.0-me\r\nhello`);
  expect(tunnels).toEqual(["dev1.dev.example.com:22"]);
  expect(warnings).toEqual([]);
  const pinned = await readFile(join(folder, "known_hosts"), "utf8");
  expect(pinned).toContain(`\n[127.0.0.1]:${port} ${known("dev1").target.hostKeys[0]}\n`);
  expect(pinned.endsWith("mine ssh-ed25519 AAAA\n")).toBe(true);
});

it("lets a client wait for the server's greeting", async () => {
  const port = await freePort();
  await serving({ dev1: port });
  const client = net.connect(port, "127.0.0.1");
  const [first] = await once(client, "data");
  expect(String(first)).toBe(greeting);
  client.destroy();
});

it("outlives clients that break off at any moment", async () => {
  const port = await freePort();
  await serving({ dev1: port });
  await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const client = net.connect(port, "127.0.0.1").on("error", () => undefined);
      await once(client, "connect");
      if (at % 2 === 0) client.write("SSH-2.0-me\r\n");
      await new Promise((resolve) => setTimeout(resolve, at % 8));
      client.resetAndDestroy();
    }),
  );
  expect(await answer(port, "SSH-2.0-me\r\n")).toBe(`${greeting}SSH-2.0-me\r\n`);
});

it("opens no way for a web page", async () => {
  const port = await freePort();
  await serving({ dev1: port });
  expect(await answer(port, "GET / HTTP/1.1\r\n\r\n")).toBe("");
  expect(warnings).toEqual([
    "dev1: a connection is refused: its client does not speak SSH; a web page may have tried the port",
  ]);
  expect(tunnels).toEqual([]);
});

it("says why no way is open, and closes the connection", async () => {
  const port = await freePort();
  await serving({ gone: port });
  expect(await answer(port, "SSH-2.0-me\r\n")).toBe("");
  expect(warnings).toEqual([
    "gone: the gateway knows no gone.dev.example.com:22 (404); if it has moved, run drawbridge ssh-config again; else check name, namespace and port, and whether its route is deployed",
  ]);
});

it("says that a container's sshd is down, and serves the others on", async () => {
  vi.stubEnv("KUBECONFIG", (await startApi(podWithoutSshd)).kubeconfig);
  const [down, up] = [await freePort(), await freePort()];
  await serving({ down, dev1: up });
  expect(await answer(down, "SSH-2.0-me\r\n")).toBe("");
  expect(warnings).toEqual([
    "down: the connection broke off: nothing listens on port 22 in the pod; its sshd has not started yet, or has ended",
  ]);
  expect(await answer(up, "SSH-2.0-me\r\n")).toBe(`${greeting}SSH-2.0-me\r\n`);
  vi.unstubAllEnvs();
});

it("waits no longer for a container than its client does", async () => {
  const port = await freePort();
  await serving({ asleep: port });
  const client = net.connect(port, "127.0.0.1");
  client.write("SSH-2.0-me\r\n");
  await vi.waitFor(() => expect(asked).toEqual(["SSH-2.0-me\r\n", "SSH-2.0-drawbridge-wait\r\n"]));
  client.destroy();
  await vi.waitFor(() => expect(closed).toHaveLength(2));
  expect(warnings).toEqual(["asleep: its client has gone"]);
});

it("serves although the host keys cannot be written", async () => {
  const port = await freePort();
  const knownHosts = join(folder, "nowhere", "known_hosts");
  await writeFile(join(folder, "nowhere"), "");
  const { table } = await serving({ dev1: port }, knownHosts);
  expect(table).toContain(String(port));
  expect(warnings).toEqual([
    expect.stringMatching(/^no host key is written, so programs will ask about them or refuse: E.*nowhere/),
  ]);
});

it("goes on when the system gives it no more connections", async () => {
  const port = await freePort();
  const create = vi.spyOn(net, "createServer");
  await serving({ dev1: port });
  const server = create.mock.results[0]?.value as net.Server;
  create.mockRestore();
  for (const _ of [1, 2]) server.emit("error", new Error("accept EMFILE"));
  expect(warnings).toEqual(Array(2).fill(`127.0.0.1:${port} takes no more connections now: accept EMFILE`));
  expect(await answer(port, "SSH-2.0-me\r\n")).toBe(`${greeting}SSH-2.0-me\r\n`);
});

it("serves the others where a port is taken, and follows what the laptop knows", async () => {
  const [taken, free, later] = [await freePort(), await freePort(), await freePort()];
  const other = net.createServer().listen(taken, "127.0.0.1");
  await once(other, "listening");
  const { table, follow } = await serving({ dev1: taken, dev2: free });
  expect(table).toBe(`NAME  USER    HOST       PORT\ndev2  jovyan  127.0.0.1  ${free}\n`);
  expect(warnings).toEqual([
    `dev1 has no port: 127.0.0.1:${taken} cannot be used (another program has it, maybe a second listen); stop that program, then run drawbridge listen again`,
  ]);
  const session = net.connect(free, "127.0.0.1");
  session.write("SSH-2.0-me\r\n");
  await vi.waitFor(() => expect(tunnels).toEqual(["dev2.dev.example.com:22"]));
  other.close();
  expect(await follow({ dev3: later })).toBe(
    `NAME  USER    HOST       PORT\ndev3  jovyan  127.0.0.1  ${later}\n`,
  );
  expect(await answer(free, "SSH-2.0-me\r\n")).toBe("ECONNREFUSED");
  expect(await answer(later, "SSH-2.0-me\r\n")).toBe(`${greeting}SSH-2.0-me\r\n`);
  // A session that was open stays so.
  session.end("still here");
  expect(await text(session)).toBe(`${greeting}SSH-2.0-me\r\nstill here`);
});
