/** The files of this program on the laptop: where they are, and how they are read and written. */

import { readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { CliError } from "./faults.ts";

/** Those below `~/.ssh`. Paths are written with forward slashes, which ssh takes on Windows too. */
export function sshFiles() {
  const sshFolder = join(homedir(), ".ssh");
  const folder = join(sshFolder, "drawbridge");
  return {
    sshFolder,
    folder,
    userConfig: join(sshFolder, "config"),
    userKnownHosts: join(sshFolder, "known_hosts"),
    /** What `~/.ssh/config` was before this program first touched it. */
    backup: join(folder, "config-before"),
    config: join(folder, "config").replaceAll("\\", "/"),
    knownHosts: join(folder, "known_hosts").replaceAll("\\", "/"),
    targets: join(folder, "targets.json"),
    /** Starts this program from ssh, wherever it is by then. */
    starter: join(folder, "start").replaceAll("\\", "/"),
  } as const;
}

export type SshFiles = ReturnType<typeof sshFiles>;

/** A path with the home for a `~` at its beginning, as a shell would write it. */
export const withHome = (path: string) => path.replace(/^~(?=[/\\])/, homedir());

/** ssh finds its config by the account's home, not by `HOME`, so it is told where the two differ. */
export function sshOptions(): string[] {
  return userInfo().homedir === homedir() ? [] : ["-F", sshFiles().userConfig];
}

/**
 * Where the sshpod way keeps what must last: its key, its known hosts. `DRAWBRIDGE_HOME`, else the platform's folder for such
 * things.
 */
export function stateFolder(): string {
  const { DRAWBRIDGE_HOME, LOCALAPPDATA, XDG_STATE_HOME } = process.env;
  if (DRAWBRIDGE_HOME) return DRAWBRIDGE_HOME;
  if (process.platform === "win32") {
    return join(LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "drawbridge");
  }
  return join(XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "drawbridge");
}

/** Whole, or not at all. A link, say into somebody's dotfiles, stays a link, and the mode stays as it is. */
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
