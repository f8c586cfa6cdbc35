/** What comes back by itself, and how fast: real frps and frpc on loopback, with the components' own keepalives. */
import type { Socket } from "node:net";
import { deriveFrpToken } from "@drawbridge-iac/drawbridge/src/host/frpc/token";
import { frpcToml } from "@drawbridge-iac/drawbridge/src/host/frpc/toml";
import { tokenHash } from "@drawbridge-iac/drawbridge/src/kit/crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../scripts/lib/lab/lab.ts";
import {
  connectThrough,
  FrpServerOnLoopback,
  greeter,
  seed,
  startFrpc,
  suffix,
} from "../../scripts/lib/stacks/frp.ts";

type Frpc = Awaited<ReturnType<typeof startFrpc>>;

const names = Array.from({ length: 10 }, (_, index) => `dev${index}`);
const hosts = names.map((name) => `${name}.team-a.${suffix}`);
const tokenOf = (name: string) => deriveFrpToken(seed, `team-a/${name}`);

let server: FrpServerOnLoopback;
let sshd: Awaited<ReturnType<typeof greeter>>;
let containers: Frpc[];

const startOne = (name: string): Promise<Frpc> =>
  startFrpc(frpcToml(server.frpc("team-a", name), sshd.port), tokenOf(name), server.certificate.caBundle);

beforeAll(async () => {
  server = await FrpServerOnLoopback.start(
    Object.fromEntries(names.map((name) => [`team-a/${name}`, { tokenSha256: tokenHash(tokenOf(name)) }])),
  );
  sshd = await greeter("SSH-2.0-own");
  containers = await Promise.all(names.map(startOne));
  await secondsUntilBack(hosts);
});

afterAll(async () => {
  await Promise.all(containers.map((frpc) => frpc.remove()));
  await sshd.close();
  await server.stop();
});

/** Seconds from now until sshd answers behind each name. */
function secondsUntilBack(which: readonly string[]): Promise<number[]> {
  const start = Date.now();
  return Promise.all(
    which.map(async (host) => {
      await eventually(`${host} back`, async () => (await greetingOf(host)) === "SSH-2.0-own", 120);
      return (Date.now() - start) / 1000;
    }),
  );
}

async function greetingOf(host: string): Promise<string | undefined> {
  const { greeting, socket } = await connectThrough(server.ports.connect, host);
  socket.destroy();
  return greeting;
}

function report(what: string, seconds: readonly number[]): void {
  const sorted = [...seconds].sort((a, b) => a - b);
  const [median = Number.NaN, worst = Number.NaN] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  console.log(`${what}: median ${median.toFixed(2)} s, worst ${worst.toFixed(2)} s`);
}

/** An open session: what it said comes back from sshd's stand-in, until it is cut. */
async function openSession(host: string) {
  const { socket } = await connectThrough(server.ports.connect, host);
  const ended = new Promise<number>((resolve) => socket.once("close", () => resolve(Date.now())));
  return { socket, ended, echoes: (word: string) => echoes(socket, word) };
}

function echoes(socket: Socket, word: string): Promise<boolean> {
  return new Promise((resolve) => {
    const onData = (chunk: Buffer) => settle(chunk.toString().includes(word));
    const settle = (came: boolean) => {
      socket.removeListener("data", onData).removeListener("close", onClose);
      resolve(came);
    };
    const onClose = () => settle(false);
    socket.once("data", onData).once("close", onClose);
    if (socket.destroyed) settle(false);
    else socket.write(word);
  });
}

test("ten containers are back after frps was killed and started again", async () => {
  const session = await openSession(hosts[0] ?? "");
  await server.frps.stop("SIGKILL");
  await session.ended;
  await server.startFrps();
  report("frps killed, from its next start", await secondsUntilBack(hosts));
});

test("a container whose frpc was killed is refused meanwhile, and back with its next frpc; others notice nothing", async () => {
  const [first = "", second = ""] = hosts;
  const other = await openSession(second);
  await containers[0]?.stop("SIGKILL");
  await eventually("the name's release", async () => (await greetingOf(first)) === undefined);
  expect((await connectThrough(server.ports.connect, first)).status).toBe("HTTP/1.1 404 Not Found");
  await containers[0]?.remove();
  containers[0] = await startOne(names[0] ?? "");
  report("frpc killed, from its next start", await secondsUntilBack([first]));
  expect(await other.echoes("still here")).toBe(true);
  other.socket.destroy();
});

test("five seconds without network cost no session", async () => {
  const session = await openSession(hosts[0] ?? "");
  expect(await session.echoes("before")).toBe(true);
  server.frps.signal("SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 5000));
  server.frps.signal("SIGCONT");
  expect(await session.echoes("after")).toBe(true);
  session.socket.destroy();
});

test("a network that stays away ends the sessions, and every container is back with it", async () => {
  const session = await openSession(hosts[0] ?? "");
  const before = containers.map(({ output }) => output.length);
  server.frps.signal("SIGSTOP");
  // frpc gives a silent server up and tries anew before anybody could tell it.
  await Promise.all(
    containers.map((frpc, index) => frpc.says("try to connect to server", 100, before[index])),
  );
  server.frps.signal("SIGCONT");
  report("network back", await secondsUntilBack(hosts));
  await session.ended;
});
