/**
 * Sockets that read into one buffer of their own. A stream otherwise allocates memory for each read and queues it,
 * which costs a copy of a large file more than moving its bytes does.
 */
import net from "node:net";
import type { Readable } from "node:stream";

/** As much as a pipe holds: a larger one would only wait longer for whoever reads slowly. */
const size = 64 * 1024;

/**
 * Takes bytes that came. They stay as they are until it returns true, or, after false, until the stream is resumed;
 * nothing more comes before that.
 */
export type Take = (bytes: Buffer) => boolean;

/** A socket whose bytes go to `taker` from its buffer, and through the socket's queue as long as there is none. */
export class OneBufferSocket extends net.Socket {
  taker: Take | undefined;

  static open(options: net.SocketConstructorOpts): OneBufferSocket {
    const buffer = Buffer.allocUnsafe(size);
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
