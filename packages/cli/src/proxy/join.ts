import { fstatSync, writeSync } from "node:fs";
import { type Duplex, finished, type Readable } from "node:stream";
import { CliError } from "../faults.ts";
import type { OpenWay } from "./first-way.ts";
import { OneBufferSocket, receive } from "./one-buffer.ts";
import { firstOf, pastActivatorFor } from "./past-activator.ts";

/**
 * Joins standard input and output with what is at the end of a way, until that closes.
 * @param say gets why it takes long to get there
 */
export async function joinStandardStreams(way: OpenWay, say: (text: string) => void): Promise<void> {
  const input = standardInput();
  // sshd speaks first; the activator waits for the client.
  const { from, bytes } = await firstOf<Readable>(input, way.stream);
  if (from !== input) {
    way.stream.unshift(bytes);
    return joined(input, way.stream);
  }
  await joined(input, await pastActivatorFor(input, way, bytes, say));
}

async function joined(input: Readable, stream: Duplex): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      finished(stream, { writable: false }, (error) => (error ? reject(error) : resolve()));
      for (const side of [stream, input]) side.on("error", reject);
      input.on("end", () => stream.end());
      // It may have ended while the container woke.
      if (input.readableEnded) stream.end();
      receive(stream, (bytes) => writeOut(bytes, () => stream.resume(), reject));
      receive(input, (bytes) => {
        let waits = false;
        stream.write(bytes, () => waits && input.resume());
        waits = stream.writableLength > 0;
        return !waits;
      });
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A killed ssh breaks both pipes, which is no fault to report.
    if (code !== "EPIPE" && code !== "ERR_STREAM_PREMATURE_CLOSE") {
      throw new CliError(`the connection broke off: ${message}`);
    }
  } finally {
    stream.destroy();
  }
}

/** ssh gives a pipe; anything else, such as a terminal or a file, is left to Node. */
function standardInput(): Readable {
  const kind = fstatSync(0);
  const isPipe = process.platform !== "win32" && (kind.isFIFO() || kind.isSocket());
  return isPipe ? OneBufferSocket.open({ fd: 0, readable: true, writable: false }) : process.stdin;
}

/**
 * Writes to standard output at once as many bytes as it takes, which spares a wait for each piece. The rest goes
 * through Node's stream, which calls `done` when it is written.
 * @returns whether everything is written already
 */
function writeOut(bytes: Buffer, done: () => void, fail: (error: Error) => void): boolean {
  const rest = bytes.subarray(writtenAtOnce(bytes));
  if (rest.length === 0) return true;
  if (process.stdout.listenerCount("error") === 0) process.stdout.on("error", fail);
  process.stdout.write(rest, (error) => error ?? done());
  return false;
}

function writtenAtOnce(bytes: Buffer): number {
  let written = 0;
  // On Windows, some pipes can only be written to from Node's event loop.
  if (process.platform === "win32") return written;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    // Standard output is full and does not block, or it is broken: the stream tells which.
  }
  return written;
}
