import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Joins standard input and output with a stream until its other end closes. */
export async function joinStandardStreams(stream: Duplex): Promise<void> {
  const outward = pipeline(process.stdin, stream);
  const inward = pipeline(stream, process.stdout, { end: false });
  // ssh closes its end last; when it is killed instead, both pipes break, which is no fault to report.
  const broken = (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  };
  await Promise.race([inward, outward.then(() => inward)]).catch(broken);
  await outward.catch(() => undefined);
}
