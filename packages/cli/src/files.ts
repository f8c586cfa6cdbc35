/** The files of this program on the laptop: where they are, and how they are read and written. */

import { chmod, readFile, readlink, realpath, rename, stat, writeFile } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { CliError } from "./faults.ts";

/** The files below `~/.ssh`. Paths that stand in ssh's config have forward slashes, which ssh takes on Windows too. */
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
    /** The blocks for all host names of pods, which the config includes. */
    pods: join(folder, "pods").replaceAll("\\", "/"),
    knownHosts: join(folder, "known_hosts").replaceAll("\\", "/"),
    targets: join(folder, "targets.json"),
    /** Beside the folder, which one of those who wait may remove. */
    lock: join(sshFolder, "drawbridge-lock"),
    /** A script by which ssh starts this program, wherever the program has moved. */
    starter: join(folder, "start").replaceAll("\\", "/"),
  } as const;
}

export type SshFiles = ReturnType<typeof sshFiles>;

/** Replaces a leading `~` by the home, as a shell does. */
export const withHome = (path: string) => path.replace(/^~(?=[/\\])/, homedir());

/** Options of ssh: it finds its config by the account's home, not by `HOME`; if they differ, these name the config. */
export function sshOptions(): string[] {
  return userInfo().homedir === homedir() ? [] : ["-F", sshFiles().userConfig];
}

/**
 * The folder of what the sshpod way must keep, its key and known hosts: `DRAWBRIDGE_HOME`, or the platform's folder for
 * state.
 */
export function stateFolder(): string {
  const { DRAWBRIDGE_HOME, LOCALAPPDATA, XDG_STATE_HOME } = process.env;
  // A whole path, since it goes into ssh's config.
  if (DRAWBRIDGE_HOME) return resolve(DRAWBRIDGE_HOME);
  if (process.platform === "win32") {
    return join(LOCALAPPDATA || join(homedir(), "AppData", "Local"), "drawbridge");
  }
  // Empty and relative ones do not count, as its specification says.
  const state = XDG_STATE_HOME?.startsWith("/") ? XDG_STATE_HOME : join(homedir(), ".local", "state");
  return join(state, "drawbridge");
}

/** Writes a file whole or not at all, and only if it is to be another. A link, say into someone's dotfiles, stays a link, and the mode stays as it is. */
export async function replace(file: string, content: Buffer | string): Promise<void> {
  const real = await realpath(file).catch(async () => {
    // A link may lead to a file that is not there yet.
    const to = await readlink(file).catch(() => file);
    return resolve(dirname(file), to);
  });
  const mode = await stat(real).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  if ((await readOptional(real))?.equals(Buffer.from(content))) return;
  const fresh = `${real}.drawbridge-new`;
  await writeFile(fresh, content, { mode });
  // The umask may have taken some of it.
  await chmod(fresh, mode);
  await rename(fresh, real);
}

/** Undefined for a file that is not there. */
export function readOptional(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new CliError(`${file} cannot be read: ${error.message}; mend its permissions`);
  });
}
