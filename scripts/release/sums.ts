/** SHA256SUMS of everything in the folder, by file name alone: the files of a release lie in one flat list. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

export function writeSums(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((one, other) => (basename(one) < basename(other) ? -1 : 1));
  const lines = files.map(
    (file) => `${createHash("sha256").update(readFileSync(file)).digest("hex")}  ${basename(file)}\n`,
  );
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
  return files;
}
