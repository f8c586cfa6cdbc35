/** An activator and an sshd at one port, as the gateway leads to them; the activator's words are its own program's. */
import { once } from "node:events";
import net from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { farewell } from "../../../controllers/src/idle/activate/speak-to-client.ts";
import { Step, WayError } from "../faults.ts";
import { listening } from "../machine.fixture.ts";
import { pastActivator, reasonIn, untilAwake } from "./past-activator.ts";

const hello = Buffer.from("SSH-2.0-me\r\n");
const held = "drawbridge: it is being woken\r\n";
const sshd = "SSH-2.0-own\r\n";
const servers: net.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Answers each connection by the next of these, once it has spoken; notes what each said. */
async function answers(...each: readonly (string | Buffer | readonly (string | Buffer)[])[]) {
  const heard: string[] = [];
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    const answer = each[heard.length] ?? "";
    const at = heard.push("") - 1;
    socket.on("data", (bytes) => {
      const isFirst = heard[at] === "";
      heard[at] += bytes.toString();
      if (isFirst) for (const part of [answer].flat()) socket.write(part);
      if (isFirst && !String(answer).startsWith(sshd)) socket.end();
    });
  });
  servers.push(server);
  const port = await listening(server);
  const again = async () => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  return { heard, again };
}

const said: string[] = [];
const say = (text: string) => void said.push(text);
afterEach(() => {
  said.splice(0);
});

async function goes(each: Awaited<ReturnType<typeof answers>>, first = hello): Promise<string> {
  const stream = await pastActivator({ stream: await each.again(), again: each.again }, first, say);
  stream.resume();
  const [bytes] = await once(stream, "data");
  stream.destroy();
  return String(bytes);
}

it("goes straight to an sshd that answers, with its first bytes", async () => {
  const one = await answers(sshd);
  expect(await goes(one)).toBe(sshd);
  expect(one.heard).toEqual(["SSH-2.0-me\r\n"]);
  expect(said).toEqual([]);
});

it("waits while the activator holds it, says why, and comes again until the container answers itself", async () => {
  const waited = `${held}drawbridge: dev1: no node takes it\r\ndrawbridge: it is awake\r\n`;
  const each = await answers(held, waited, held, sshd);
  expect(await goes(each)).toBe(sshd);
  expect(each.heard).toEqual([
    "SSH-2.0-me\r\n",
    "SSH-2.0-drawbridge-wait\r\n",
    "SSH-2.0-me\r\n",
    "SSH-2.0-me\r\n",
  ]);
  expect(said).toEqual(["dev1: no node takes it"]);
});

it("asks another pod of the activator from the beginning where the one that held it is lost", async () => {
  const each = await answers(held, held, held, `${held}drawbridge: it is awake\r\n`, sshd);
  let closed = 2;
  const again = async () => {
    if (closed > 0 && each.heard.length === 2) {
      closed -= 1;
      throw new WayError(Step.connect, "nothing answers there (503)", 503);
    }
    return each.again();
  };
  const stream = await pastActivator({ stream: await each.again(), again }, hello, say);
  stream.destroy();
  expect([closed, each.heard.map((text) => text.trim())]).toEqual([
    0,
    ["SSH-2.0-me", "SSH-2.0-drawbridge-wait", "SSH-2.0-me", "SSH-2.0-drawbridge-wait", "SSH-2.0-me"],
  ]);
});

it("ends where its client gives up while it waits", async () => {
  const each = await answers(held);
  const waits = net.createServer((socket) => socket.on("error", () => undefined).write(held));
  servers.push(waits);
  const port = await listening(waits);
  const again = async () => net.connect(port, "127.0.0.1");
  const gone = new AbortController();
  const waiting = pastActivator({ stream: await each.again(), again }, hello, say, gone.signal);
  setTimeout(() => gone.abort(), 100);
  await expect(waiting).rejects.toThrow("its client has gone");
});

it("passes on what the activator refuses at once, for ssh to print", async () => {
  const refusal = farewell("dev1: it is switched off");
  const each = await answers(refusal);
  expect(await goes(each)).toBe(refusal.toString());
  expect(each.heard).toHaveLength(1);
});

it("ends with the reason when the container does not start", async () => {
  const each = await answers(held, [held, farewell("dev1: it cannot start: no such image")]);
  await expect(goes(each)).rejects.toThrow("dev1: it cannot start: no such image");
});

it("goes through the activator where the gateway leads nowhere else", async () => {
  const each = await answers(held, `${held}drawbridge: it is awake\r\n`, ...Array<string>(50).fill(held));
  expect(await goes(each)).toBe(held);
  expect(each.heard).toHaveLength(52);
}, 30_000);

it("leaves a client alone that waits for the server", async () => {
  const each = await answers(sshd);
  const stream = await pastActivator({ stream: await each.again(), again: each.again }, Buffer.alloc(0), say);
  stream.destroy();
  expect(each.heard.join("")).toBe("");
});

it("knows sshd's greeting for one that was awake, and a broken answer for none", async () => {
  const each = await answers(sshd, "", "HTTP/1.1 503\r\n", "SSH-2.0-drawbridge\r\n\0\0");
  const wait = async () => {
    const stream = await each.again();
    stream.write("SSH-2.0-drawbridge-wake\r\n");
    return untilAwake(stream, say);
  };
  await wait();
  for (let broken = 0; broken < 3; broken += 1) {
    await expect(wait()).rejects.toThrow("the connection was closed before sshd said anything");
  }
  expect(reasonIn(farewell("dev1: it did not start").toString("latin1"))).toBe("dev1: it did not start");
});

it("reads no more than an activator says", async () => {
  const endless = new PassThrough();
  endless.write("x".repeat(16_385));
  await expect(untilAwake(endless, say)).rejects.toThrow("before sshd said anything");
  expect(endless.destroyed).toBe(true);
}, 2000);
