import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/**
 * The folder that keeps what is expensive to make (programs, images): `$DRAWBRIDGE_CACHE`, else
 * `$XDG_CACHE_HOME/drawbridge`, else `~/.cache/drawbridge`. It may be deleted at any time; everything in it is made again.
 */
export function cacheDir(env: NodeJS.ProcessEnv = process.env, home: string = homedir()): string {
  return env.DRAWBRIDGE_CACHE || join(env.XDG_CACHE_HOME || join(home, ".cache"), "drawbridge");
}

/** How to make one folder of the cache. */
interface CacheEntry {
  /** Place below {@link cacheDir}, for example `tools/etcd-1f0c…`. Its name must change whenever its content would. */
  readonly path: string;
  /** Fills a new, empty folder. A failure leaves nothing behind. */
  readonly fill: (folder: string) => Promise<void>;
  /** Called when another process is making the same entry, before waiting for it. */
  readonly onWait?: () => void;
}

/**
 * The absolute path of a cache entry, which is made first if it is missing. Two processes may ask for the same
 * entry: one makes it, the other waits. The folder appears by rename, so an interrupted build is never mistaken for
 * a finished one.
 */
export async function cached(entry: CacheEntry): Promise<string> {
  const folder = join(cacheDir(), entry.path);
  if (existsSync(folder)) return folder;
  // Two parts of one process may ask for the same at once; they are not "another process" to each other.
  const known = underWay.get(folder);
  if (known !== undefined) return known;
  const made = make(folder, entry).finally(() => underWay.delete(folder));
  underWay.set(folder, made);
  return made;
}

const underWay = new Map<string, Promise<string>>();

async function make(folder: string, entry: CacheEntry): Promise<string> {
  await mkdir(dirname(folder), { recursive: true });
  const unlock = await lock(`${folder}.lock`, entry.onWait ?? (() => {}));
  try {
    if (!existsSync(folder)) await fillAtomically(folder, entry.fill);
  } finally {
    await unlock();
  }
  return folder;
}

async function fillAtomically(folder: string, fill: CacheEntry["fill"]): Promise<void> {
  const partial = `${folder}.partial`;
  // Only the holder of the lock is here, so a partial folder is what a killed process left.
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  try {
    await fill(partial);
    await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

// The kernel drops a flock when its holder ends, and the holder ends when our end of its stdin closes: however this
// process dies, no stale lock stays behind. The lock file itself stays, since removing it would let two holders in.
const holdLock = 'exec 9>"$1"; flock -n 9 || { echo waiting; flock 9; }; echo locked; cat';

/** Takes an exclusive lock on a file and returns what releases it. */
export async function lock(file: string, onWait: () => void): Promise<() => Promise<void>> {
  const holder = spawn("sh", ["-c", holdLock, "sh", file], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => holder.once("close", () => resolve()));
  for await (const line of createInterface({ input: holder.stdout })) {
    if (line === "waiting") onWait();
    if (line === "locked") {
      return () => {
        holder.stdin.end();
        return ended;
      };
    }
  }
  throw new Error(
    `cannot lock ${file}: the program "flock" failed or is missing. Install Debian's util-linux and check that the folder is writable.`,
  );
}
