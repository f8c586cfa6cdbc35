/** Whose program is at the other end of a loopback connection. */
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { readOptional } from "../whole-file.ts";

/**
 * Which account's client is at the other end of a connection over 127.0.0.1. Only Linux tells; elsewhere every account's
 * passes, and sshd asks it for a key.
 * @returns "gone" for one whose client has closed it already
 */
export async function ownerOf({ remotePort = 0, localPort = 0 }: Socket): Promise<"own" | "other" | "gone"> {
  if (process.platform !== "linux") return "own";
  const tables = await Promise.all([readFile("/proc/net/tcp", "utf8"), readOptional("/proc/net/tcp6")]);
  const uid = uidOf(tables.join(""), remotePort, localPort);
  if (uid === undefined) return "gone";
  // The superuser may become anybody anyway.
  return [0, process.getuid?.()].includes(uid) ? "own" : "other";
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
  return row === undefined ? undefined : Number(row[7]);
}
