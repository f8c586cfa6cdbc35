import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { expect, it, vi } from "vitest";
import { listening } from "../machine.fixture.ts";
import { ownerBy, ownerOf, serve, uidOf } from "./serve.ts";

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:5D2F 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
   1: 0100007F:5D2F 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4 30 10 -1
   2: 0100007F:C001 0100007F:5D2F 01 00000000:00000000 00:00000000 00000000  1001        0 3 1 0 20 4 30 10 -1
   3: 0200007F:C002 0100007F:5D2F 01 00000000:00000000 00:00000000 00000000  1000        0 4 1 0 20 4 30 10 -1
   4: 0100007F:C004 0100007F:5D2F 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
   5: 0100007F:C005 0100007F:5D2F 06 00000000:00000000 03:0000176F 00000000     0        0 0 3 0
`;

it("finds the uid of the client's socket, not the server's", () => {
  expect(uidOf(table, 0xc001, 0x5d2f)).toBe(1001);
});

it.each([
  ["is gone", 0xc003],
  ["comes from another address", 0xc002],
  ["has closed its socket, which the kernel then shows as root's", 0xc004],
  ["has closed its socket after the server did", 0xc005],
])("finds none for a client that %s", (_, port) => {
  expect(uidOf(table, port, 0x5d2f)).toBe(undefined);
});

it.each([
  [1000, 1000, "own"],
  [0, 1000, "own"],
  [1001, 1000, "other"],
  [1001, 0, "other"],
  [undefined, 1000, "gone"],
])("a client of uid %s is, to a program of uid %s: %s", (uid, account, owner) => {
  expect(ownerBy(uid, account)).toBe(owner);
});

it("opens no way for another account, which the long tests try with a real one", async () => {
  const server = net.createServer();
  const client = net.connect(await listening(server), "127.0.0.1");
  const [socket] = await once(server, "connection");
  client.write("SSH-2.0-me\r\n");
  const open = () => expect.fail("a way was opened");
  expect(
    await serve(
      socket,
      open,
      () => undefined,
      async () => "other",
    ),
  ).toBe("it comes from another account of this computer");
  expect(socket.destroyed).toBe(true);
  client.destroy();
  server.close();
});

// Java has sockets of IPv6 alone, which reach an address of IPv4 by its mapped one.
it.each([
  ["IPv4", "127.0.0.1"],
  ["IPv6", "::ffff:127.0.0.1"],
])("tells this account's client from one that has gone, with a socket of %s", async (_, host) => {
  const server = net.createServer();
  const client = net.connect(await listening(server), host);
  const [socket] = await once(server, "connection");
  expect(await ownerOf(socket)).toBe("own");
  // A closed socket forgets its ports; the kernel's table has lost them by then.
  const seen = { remotePort: socket.remotePort, localPort: socket.localPort };
  const closed = new Promise((resolve) => socket.on("error", () => undefined).once("close", resolve));
  client.resetAndDestroy();
  await closed;
  expect(await ownerOf(seen as net.Socket)).toBe("gone");
  server.close();
});

it("opens nothing for a client that wrote and closed at once, so that nobody knows whose it was", async () => {
  const server = net.createServer({ allowHalfOpen: true });
  const client = net.connect(await listening(server), "127.0.0.1");
  const [socket] = await once(server, "connection");
  client.write("SSH-2.0-me\r\n", () => client.destroy());
  await once(client, "close");
  const open = () => Promise.reject(new Error("a way was opened"));
  expect(await serve(socket, open, () => undefined)).toBe("its client has gone");
  server.close();
});

it("opens nothing for another account's client", async () => {
  const server = net.createServer({ allowHalfOpen: true });
  const port = await listening(server);
  const own = process.getuid?.() ?? 0;
  // The superuser's client becomes another account; for anybody else's, the account that listens is another.
  const account = vi.spyOn(process, "getuid").mockReturnValue(own === 0 ? 0 : own + 1);
  const other = own === 0 ? { uid: 65534, gid: 65534 } : {};
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'SSH-2.0-me\\r\\n' >&3; cat <&3`;
  const client = spawn("bash", ["-c", script], { cwd: "/", stdio: "ignore", ...other });
  const [socket] = await once(server, "connection");
  try {
    const open = () => Promise.reject(new Error("a way was opened"));
    expect(await serve(socket, open, () => undefined)).toBe("it comes from another account of this computer");
  } finally {
    account.mockRestore();
    client.kill();
    server.close();
  }
});
