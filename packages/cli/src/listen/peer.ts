/** Whose program is at the other end of a loopback connection. */
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/**
 * Whether a connection over 127.0.0.1 may be one of this user's: false for another account's. Linux alone says whose
 * a connection is; elsewhere everyone's pass, and meet sshd, which asks for a key.
 */
export async function mayBeOwn({ remotePort = 0, localPort = 0 }: Socket): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const uid = uidOf(await readFile("/proc/net/tcp", "utf8"), remotePort, localPort);
  // The superuser may become anybody anyway.
  return uid !== undefined && [0, process.getuid?.()].includes(uid);
}

/** The uid of the socket on 127.0.0.1 with this port and that peer's, in the kernel's table. */
export function uidOf(table: string, port: number, peerPort: number): number | undefined {
  const end = (number: number) => `0100007F:${number.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = table.split("\n").map((line) => line.trim().split(/\s+/));
  const row = rows.find(([, local, remote]) => local === end(port) && remote === end(peerPort));
  return row === undefined ? undefined : Number(row[7]);
}
