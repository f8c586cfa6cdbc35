/** Joins one loopback connection with the sshd of a container, if it comes from the account that listens. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { readOptional } from "../files.ts";
import type { OpenWay } from "../proxy/first-way.ts";
import { pastActivatorFor } from "../proxy/past-activator.ts";

/** How long a client may wait for the server's greeting before it sends its own; most do not wait. */
const silenceMs = 500;

/**
 * @param client a fresh connection; it is closed at the end
 * @param open opens the way to the container, and wakes it if it sleeps: only for what may be an SSH client of this user's
 * @param say gets why it takes long to get there
 * @param whose says from which account it comes
 * @returns why the connection is refused; undefined once it was served
 */
export async function serve(
  client: Socket,
  open: () => Promise<OpenWay>,
  say: (text: string) => void,
  whose = ownerOf,
): Promise<string | undefined> {
  // A client may break off while nothing reads from it; the error must not end the program.
  client.on("error", () => undefined);
  try {
    const owner = await whose(client);
    if (owner === "other") return "it comes from another account of this computer";
    const greeting = owner === "gone" ? undefined : await firstBytes(client);
    if (greeting === undefined) return "its client has gone";
    if (!"SSH-".startsWith(greeting.subarray(0, 4).toString("latin1"))) {
      return "its client does not speak SSH; a web page may have tried the port";
    }
    const tunnel = await pastActivatorFor(client, await open(), greeting, say);
    const joined = client.readableEnded ? pipeline(tunnel, client) : pipeline(client, tunnel, client);
    // Both ends close their connections as they like, also in the middle.
    await joined.catch(() => undefined);
    tunnel.destroy();
    return undefined;
  } finally {
    client.destroy();
  }
}

/** What a client sends first, empty if it waits for the server; undefined if it is gone. */
async function firstBytes(client: Socket): Promise<Buffer | undefined> {
  const arrived = once(client, "readable", { signal: AbortSignal.timeout(silenceMs) });
  const kind = await arrived.then(
    () => "bytes",
    ({ name }: Error) => (name === "AbortError" ? "silence" : "gone"),
  );
  if (kind === "silence") return Buffer.alloc(0);
  // A connection that has ended is readable too, and has nothing to read.
  return kind === "bytes" ? ((client.read() as Buffer | null) ?? undefined) : undefined;
}

/** Of whom a connection is; "gone" for one whose client has closed it already. */
type Owner = "own" | "other" | "gone";

/**
 * Which account's client is at the other end of a connection over 127.0.0.1. Only Linux tells; elsewhere every account's
 * passes, and sshd asks it for a key.
 */
export async function ownerOf({ remotePort = 0, localPort = 0 }: Socket): Promise<Owner> {
  if (process.platform !== "linux") return "own";
  const tables = await Promise.all([readFile("/proc/net/tcp", "utf8"), readOptional("/proc/net/tcp6")]);
  return ownerBy(uidOf(tables.join(""), remotePort, localPort), process.getuid?.());
}

/** @param account the one that listens */
export function ownerBy(uid: number | undefined, account: number | undefined): Owner {
  if (uid === undefined) return "gone";
  // The superuser may become anybody anyway.
  return [0, account].includes(uid) ? "own" : "other";
}

/** 127.0.0.1 as the kernel writes it: of a socket of IPv4, and of one of IPv6, which is what Java has. */
const loopback = ["0100007F", "0000000000000000FFFF00000100007F"];

/** The uid of the socket that leads from `port` to `peerPort` on 127.0.0.1, in the kernel's tables. */
export function uidOf(tables: string, port: number, peerPort: number): number | undefined {
  const end = (number: number) => {
    const hex = number.toString(16).toUpperCase().padStart(4, "0");
    return loopback.map((address) => `${address}:${hex}`);
  };
  const [ours, theirs] = [end(port), end(peerPort)];
  const rows = tables.split("\n").map((line) => line.trim().split(/\s+/));
  const row = rows.find(([, local = "", remote = ""]) => ours.includes(local) && theirs.includes(remote));
  // Of a socket that its program has closed, the kernel says uid 0 and inode 0, whose ever it was.
  return row === undefined || row[9] === "0" ? undefined : Number(row[7]);
}
