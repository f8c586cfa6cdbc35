/** The files of this program below `~/.ssh`. */
import { homedir, userInfo } from "node:os";
import { join } from "node:path";

/** Paths are written with forward slashes, which ssh takes on Windows too. */
export function sshFiles(home: string = homedir()) {
  const sshFolder = join(home, ".ssh");
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
export function sshOptions(home: string = homedir()): string[] {
  return userInfo().homedir === home ? [] : ["-F", sshFiles(home).userConfig];
}
