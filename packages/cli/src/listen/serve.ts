/** Joins one loopback connection with the sshd of a container. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { OpenWay } from "../proxy/first-way.ts";
import { pastActivatorFor } from "../proxy/past-activator.ts";
import { ownerOf } from "./peer.ts";

/** How long a client may wait for the server's greeting before it sends its own; most do not wait. */
const silenceMs = 500;

/**
 * @param client a fresh connection; it is closed at the end
 * @param open opens the way to the container, and wakes it if it sleeps: only for what may be an SSH client of this user's
 * @param say gets why it takes long to get there
 * @returns why the connection is refused; undefined once it was served
 */
export async function serve(
  client: Socket,
  open: () => Promise<OpenWay>,
  say: (text: string) => void,
): Promise<string | undefined> {
  // A client may break off while nothing reads from it; the error must not end the program.
  client.on("error", () => undefined);
  try {
    const owner = await ownerOf(client);
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
