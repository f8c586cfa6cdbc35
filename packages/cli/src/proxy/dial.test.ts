import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { listening } from "../machine.fixture.ts";
import { openTunnel } from "./dial.ts";

const servers: net.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A gateway that answers the first bytes with these writes, 20 ms apart. */
async function gateway(...writes: string[]): Promise<{ address: string; port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = net.createServer((socket) => {
    socket.once("data", async (chunk: Buffer) => {
      asked.push(chunk.toString());
      for (const text of writes) {
        socket.write(text);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      socket.end();
    });
    socket.on("error", () => undefined);
  });
  servers.push(server);
  return { address: "127.0.0.1", port: await listening(server), asked };
}

async function received(stream: net.Socket): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk.toString();
  return text;
}

describe("openTunnel", () => {
  it.each([
    ["in one piece with the answer", ["HTTP/1.1 200 OK\r\n\r\nSSH-2.0-x\r\nmore"]],
    ["after the answer", ["HTTP/1.1 200 OK\r\n\r\n", "SSH-2.0-x\r\n", "more"]],
    ["with the answer in pieces", ["HTTP/1.0 2", "00 OK\r\nvia: x\r\n\r", "\nSSH-2.0-x\r\nmo", "re"]],
  ])("gives out sshd's first bytes once, %s", async (_title, writes) => {
    const target = await gateway(...writes);
    expect(await received(await openTunnel(target, "dev1.example.com", 22))).toBe("SSH-2.0-x\r\nmore");
    expect(target.asked).toEqual([
      "CONNECT dev1.example.com:22 HTTP/1.1\r\nHost: dev1.example.com:22\r\n\r\n",
    ]);
  });

  it("keeps bytes that arrive before the stream is read", async () => {
    const stream = await openTunnel(await gateway("HTTP/1.1 200 OK\r\n\r\nSSH", "-2.0-x\r\n"), "x", 22);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(await received(stream)).toBe("SSH-2.0-x\r\n");
  });

  it.each([
    [
      "HTTP/1.1 429 Too Many\r\n\r\n",
      "the gateway limits how often you may connect (429); wait a little, or let sessions share a connection: drawbridge ssh-config --multiplex 600",
    ],
    ["HTTP/1.1 407 Auth\r\n\r\n", "the gateway asks for credentials (407); this program sends none"],
    ["HTTP/1.1 504 Late\r\n\r\n", "what is behind x:22 does not answer (504)"],
    [
      "HTTP/1.1 418 Teapot\r\n\r\n",
      "the gateway answers 418 to CONNECT x:22; check that it is the gateway's CONNECT port",
    ],
    ["HTTP/1.1 302 Found\r\nlocation: /login\r\n\r\n", "the gateway answers 302 to CONNECT x:22"],
    ["220 mail\r\n\r\n", "the port does not answer in HTTP; check that it is the gateway's CONNECT port"],
  ])("explains %j", async (answer, message) => {
    await expect(openTunnel(await gateway(answer), "x", 22)).rejects.toThrow(message);
  });

  it("writes an IPv6 host in brackets", async () => {
    const target = await gateway("HTTP/1.1 404 No\r\n\r\n");
    await expect(openTunnel(target, "2001:db8::1", 22)).rejects.toThrow("[2001:db8::1]:22 (404)");
    expect(target.asked[0]).toMatch(/^CONNECT \[2001:db8::1\]:22 /);
  });
});
