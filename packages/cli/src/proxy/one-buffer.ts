/**
 * Sockets that read into one buffer of their own. Otherwise a stream allocates memory for each read and queues it: for
 * a large file that takes longer than moving its bytes.
 */
import net from "node:net";
import type { Readable } from "node:stream";

/** As much as a pipe holds: a larger buffer would only wait longer for a slow reader. */
const bufferBytes = 64 * 1024;

/**
 * Takes received bytes. If it returns true, their memory is used again at once; if false, only when the stream is
 * resumed, and nothing more is received before that.
 */
type Take = (bytes: Buffer) => boolean;

/** A socket whose bytes go from its buffer straight to `taker`, and into the stream's queue while there is no taker. */
export class OneBufferSocket extends net.Socket {
  taker: Take | undefined;

  static open(options: net.SocketConstructorOpts): OneBufferSocket {
    const buffer = Buffer.allocUnsafe(bufferBytes);
    const callback = (count: number): boolean => {
      const bytes = buffer.subarray(0, count);
      return socket.taker === undefined ? socket.push(Buffer.from(bytes)) : socket.taker(bytes);
    };
    const socket = new OneBufferSocket({ ...options, onread: { buffer, callback } });
    return socket;
  }
}

/** Gives everything that a stream receives to `take`, from its one buffer if it has one. */
export function receive(stream: Readable, take: Take): void {
  // What is still in the queue comes first: the socket reads on only when that is empty.
  stream.on("data", (bytes: Buffer) => {
    if (!take(bytes)) stream.pause();
  });
  if (stream instanceof OneBufferSocket) stream.taker = take;
  stream.resume();
}
