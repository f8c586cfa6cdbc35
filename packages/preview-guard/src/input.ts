/** A preview of up to 1 GiB: as one text, or by lines where that would be too long. */
import { type Preview, readStream, readWholePreview, UnreadablePreview } from "./preview.ts";

const longestText = 400 * 2 ** 20;
const most = 2 ** 30;
const lineEnd = 0x0a;

export async function readInput(input: AsyncIterable<Buffer>): Promise<Preview> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most)
      throw new UnreadablePreview("the preview is longer than 1 GiB; preview fewer stacks at once");
  }
  const all = Buffer.concat(chunks);
  return length <= longestText ? readWholePreview(all.toString("utf8")) : readStream(linesOf(all));
}

function* linesOf(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(lineEnd, start);
    const end = found < 0 ? bytes.length : found;
    // A digest is one text, or begins with a bracket alone.
    if (
      end - start > longestText ||
      (start === 0 && bytes.toString("utf8", 0, Math.min(end, 10)).trim() === "{")
    )
      throw new UnreadablePreview(
        "the preview is too long for one text; take it as events, with PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1",
      );
    yield bytes.toString("utf8", start, end);
    start = end + 1;
  }
}
