/** One HTTP CONNECT request: of a gateway, and of a proxy on the way to it. */
import type net from "node:net";

/** The connection ended before the answer; the cause is what it ended with, if it was an error. */
export class NoAnswer extends Error {}

/** Nothing came in time. */
export class TooLate extends Error {}

/**
 * Asks for a tunnel. Afterwards the socket is paused and carries the bytes of its far end.
 * @returns the status of the answer, 0 for one that is no HTTP
 */
export function askForTunnel(
  socket: net.Socket,
  authority: string,
  timeoutMs: number,
  headers: readonly string[] = [],
): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      socket.removeListener("data", onData).removeListener("error", onEnd).removeListener("close", onEnd);
      socket.pause();
      end();
    };
    const timer = setTimeout(() => settle(() => reject(new TooLate())), timeoutMs);
    // "close" passes a boolean.
    const onEnd = (error?: Error | boolean) =>
      settle(() => reject(new NoAnswer("closed", typeof error === "object" ? { cause: error } : {})));
    const onData = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0 && head.length < 16_384) return;
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString("latin1"))?.[1] ?? 0);
      settle(() => resolve(end < 0 ? 0 : status));
      // The first bytes of the far end may have come along. They go back now that the socket is paused, else it would emit them at once.
      if (isAccepted(status) && head.length > end + 4) socket.unshift(head.subarray(end + 4));
    };
    // Paused by the tunnel before, if this one leads through another.
    socket.on("data", onData).once("error", onEnd).once("close", onEnd).resume();
    const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, ...headers];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  });
}

export const isAccepted = (status: number) => status >= 200 && status < 300;

/** A colon means IPv6. `net.isIPv6` compiles a pattern first, which takes a tenth of this program's start. */
export const authorityOf = (host: string, port: number) =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;
