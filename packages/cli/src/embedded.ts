/** The command as a single executable: Node's own program with the command and its files inside. */
import { getAsset, isSea } from "node:sea";

/** Whether this is that executable. */
export const isExecutable = isSea;

/** A file inside the executable. */
export function embeddedFile(name: string): Buffer {
  return Buffer.from(getAsset(name));
}
