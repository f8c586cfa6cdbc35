import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listening } from "../machine.fixture.ts";
import { podWithoutSshd, startApi } from "../sshpod/api.fixture.ts";

/** More than all buffers on the way hold together. */
const much = Buffer.alloc(24 * 1024 * 1024, Buffer.from(Array.from({ length: 251 }, (_, at) => at)));
const folder = temporaryFolder();
let server: net.Server;
let port: number;

/** Behind the gateway: `echo` sends back what comes, `count` says how much came when it ends, `cut` breaks off. */
function behind(socket: net.Socket, host: string | undefined): void {
  if (host === "echo") socket.pipe(socket);
  else if (host === "cut") socket.once("data", () => socket.resetAndDestroy());
  else {
    let count = 0;
    socket.on("data", (bytes: Buffer) => {
      count += bytes.length;
    });
    socket.on("end", () => socket.end(`${count}\n`));
  }
}

beforeAll(async () => {
  server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (head: Buffer) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\nSSH-2.0-x\r\n");
      behind(socket, /^CONNECT (\w+):22 /.exec(head.toString())?.[1]);
    });
  });
  port = await listening(server);
});
afterAll(() => void server.close());

type End = "pipe" | number | net.Socket;

function start(host: string, input: End = "pipe", output: End = "pipe") {
  return run(["--via", `http://127.0.0.1:${port}`, "--host", host], input, output);
}

function run(args: readonly string[], input: End = "pipe", output: End = "pipe", env = process.env) {
  const options = ["--conditions=@drawbridge/source", "--disable-warning=ExperimentalWarning"];
  const words = [...options, "packages/cli/src/main.ts", "proxy", ...args];
  const child = spawn(process.execPath, words, { stdio: [input, output, "pipe"], env });
  child.stdin?.on("error", () => undefined);
  return child;
}

async function all(stream: Readable | null, pauseMs = 0): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as Readable) {
    chunks.push(chunk);
    if (pauseMs > 0) await delay(pauseMs);
  }
  return Buffer.concat(chunks);
}

const greeting = Buffer.from("SSH-2.0-x\r\n");

it("carries every byte both ways, and waits for a slow reader", async () => {
  const child = start("echo");
  child.stdin?.end(much);
  const got = await all(child.stdout, 2);
  expect(got.equals(Buffer.concat([greeting, much]))).toBe(true);
  expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
});

it("ends its sending side with standard input, and still gives out what comes then", async () => {
  const child = start("count");
  child.stdin?.end("abc");
  expect((await all(child.stdout)).toString()).toBe("SSH-2.0-x\r\n3\n");
});

it("reads a file, which is no pipe", async () => {
  const file = join(folder, "input");
  writeFileSync(file, much);
  const input = openSync(file, "r");
  const child = start("count", input);
  closeSync(input);
  expect((await all(child.stdout)).toString()).toBe(`SSH-2.0-x\r\n${much.length}\n`);
});

it("writes everything to an output that does not block", async () => {
  const listener = net.createServer();
  const output = net.connect(await listening(listener), "127.0.0.1");
  const [[reader]] = (await Promise.all([once(listener, "connection"), once(output, "connect")])) as [
    [net.Socket],
    unknown,
  ];
  const child = start("echo", "pipe", output);
  // The start made the socket a blocking one. It is shared with the program, so this makes it non-blocking again.
  (output as unknown as { _handle: { setBlocking(on: boolean): void } })._handle.setBlocking(false);
  once(child, "exit").then(() => output.destroy());
  child.stdin?.end(much);
  expect((await all(reader, 2)).equals(Buffer.concat([greeting, much]))).toBe(true);
  listener.close();
});

it("says when the connection broke off", async () => {
  const child = start("cut");
  child.stdin?.write("abc");
  const [said] = await Promise.all([all(child.stderr), once(child, "exit")]);
  expect([child.exitCode, said.toString()]).toEqual([
    1,
    "drawbridge: the connection broke off: read ECONNRESET\n",
  ]);
});

it.each([
  ["says nothing first", ""],
  ["says its greeting first", "SSH-2.0-me\r\n"],
])("says in a sentence that the pod's sshd is down, to a client that %s", async (_, hello) => {
  const { kubeconfig } = await startApi(podWithoutSshd);
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const child = run(["--own-sshd", "--host", "pod--dev1-0.namespace--team-a.sshpod"], "pipe", "pipe", env);
  child.stdin?.write(hello);
  const [said] = await Promise.all([all(child.stderr), once(child, "exit")]);
  expect([child.exitCode, said.toString()]).toEqual([
    1,
    "drawbridge: the connection broke off: nothing listens on port 22 in the pod; its sshd has not started yet, or has ended\n",
  ]);
});

it("is quiet when its reader is gone", async () => {
  const child = start("echo");
  child.stdout?.once("data", () => child.stdout?.destroy());
  child.stdin?.write(much);
  const [said] = await Promise.all([all(child.stderr), once(child, "exit")]);
  expect([child.exitCode, said.toString()]).toEqual([0, ""]);
});
