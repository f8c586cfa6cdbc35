/** Real sockets on loopback, and some whose packets are lost: their host's name is never resolved. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { greeted } from "./wait-for-sshd.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer(onConnection);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const never = () => new AbortController().signal;
const lost = () => connect({ host: "lost.invalid", port: 1, lookup: () => {} });

it("does not wait for dials whose packets are lost, and leaves none behind", async () => {
  const port = await listen((socket) => socket.write("SSH-2.0-own\r\n"));
  const hanging: Socket[] = [];
  let before: boolean[] = [];
  const dial = (to: { host: string; port: number }) => {
    before = hanging.map(({ destroyed }) => destroyed);
    if (hanging.length === 3) return connect(to);
    const socket = lost();
    hanging.push(socket);
    return socket;
  };
  expect(await greeted({ port, address: () => "127.0.0.1", dial }, never())).toBe("127.0.0.1");
  expect(before).toEqual([false, false, false]);
  expect(hanging.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
});

it("opens no second connection while sshd takes its time to greet", async () => {
  let connections = 0;
  const port = await listen((socket) => {
    connections += 1;
    setTimeout(() => socket.write("SSH-2.0-slow\r\n"), 400);
  });
  expect(await greeted({ port, address: () => "127.0.0.1" }, never())).toBe("127.0.0.1");
  expect(connections).toBe(1);
});

it("goes on while the port is closed, or somebody answers who is no sshd", async () => {
  let connections = 0;
  const port = await listen((socket) => {
    connections += 1;
    if (connections === 1) socket.end("HTTP/1.1 400 Bad Request\r\n");
    else socket.write("SSH-2.0-own\r\n");
  });
  const closed = await listen(() => {});
  await new Promise((resolve) => servers.pop()?.close(resolve));
  let asked = 0;
  const dial = ({ host }: { host: string }) => connect({ host, port: ++asked < 3 ? closed : port });
  expect(await greeted({ port, address: () => "127.0.0.1", dial }, never())).toBe("127.0.0.1");
  expect(connections).toBe(2);
});

it("ends by its signal", async () => {
  const cancel = new AbortController();
  const waiting = greeted({ port: 1, address: () => undefined }, cancel.signal);
  cancel.abort(new Error("slept again"));
  await expect(waiting).rejects.toThrow("slept again");
});
