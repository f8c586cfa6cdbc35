/** The user's files are read or written whole, or not at all. */
import { readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { CliError } from "./cli-error.ts";

/** A link, say into somebody's dotfiles, stays a link, and the mode stays as it is. */
export async function replace(file: string, content: Buffer | string): Promise<void> {
  const real = await realpath(file).catch(() => file);
  const mode = await stat(real).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  if ((await readOptional(real))?.equals(Buffer.from(content))) return;
  const fresh = `${real}.drawbridge-new`;
  await writeFile(fresh, content, { mode });
  await rename(fresh, real);
}

export function readOptional(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new CliError(`${file} cannot be read: ${error.message}; mend its permissions`);
  });
}
