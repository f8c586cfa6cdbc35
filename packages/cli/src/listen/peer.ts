/** Whose program is at the other end of a loopback connection. */
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/**
 * Which account's client is at the other end of a connection over 127.0.0.1. Only Linux tells; elsewhere every account's
 * passes, and sshd asks it for a key.
 * @returns "gone" for one whose client has closed it already
 */
export async function ownerOf({ remotePort = 0, localPort = 0 }: Socket): Promise<"own" | "other" | "gone"> {
  if (process.platform !== "linux") return "own";
  const uid = uidOf(await readFile("/proc/net/tcp", "utf8"), remotePort, localPort);
  if (uid === undefined) return "gone";
  // The superuser may become anybody anyway.
  return [0, process.getuid?.()].includes(uid) ? "own" : "other";
}

/** The uid of the socket on 127.0.0.1 (0100007F) with this port and that peer's, in the kernel's table. */
export function uidOf(table: string, port: number, peerPort: number): number | undefined {
  const end = (number: number) => `0100007F:${number.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = table.split("\n").map((line) => line.trim().split(/\s+/));
  const row = rows.find(([, local, remote]) => local === end(port) && remote === end(peerPort));
  return row === undefined ? undefined : Number(row[7]);
}
