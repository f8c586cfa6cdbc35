import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CliError } from "../cli-error.ts";

/** Joins standard input and output with a stream until its other end closes. */
export async function joinStandardStreams(stream: Duplex): Promise<void> {
  const outward = pipeline(process.stdin, stream);
  const inward = pipeline(stream, process.stdout, { end: false });
  try {
    await Promise.race([inward, outward.then(() => inward)]);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // ssh closes its end last; when it is killed instead, both pipes break, which is no fault to report.
    if (code !== "EPIPE" && code !== "ERR_STREAM_PREMATURE_CLOSE") {
      throw new CliError(`the connection broke off: ${message}`);
    }
  } finally {
    stream.destroy();
    await outward.catch(() => undefined);
  }
  // The last bytes may still be on their way to ssh (on Windows, pipes are written in the background).
  await new Promise((resolve) => process.stdout.write("", resolve));
}
