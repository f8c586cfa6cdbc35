/** One run of this program at a time, where files are read, changed and written again. */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "./faults.ts";

const pauseMs = 50;
/** After this long the user is told what is waited for. */
const sayAfterMs = 3000;
/** A lock of another computer, whose processes nobody can see from here, holds so long at most. */
const foreignMs = 10 * 60_000;

/**
 * Does the work while no other process does work under this lock; waits for its turn.
 * @param file the lock, which is there meanwhile
 * @param tell gets, once, why it takes so long
 */
export async function alone<T>(
  file: string,
  work: () => Promise<T>,
  tell: (text: string) => void,
): Promise<T> {
  const until = performance.now() + sayAfterMs;
  let isSaid = false;
  while (!isTaken(file)) {
    const owner = ownerOf(file);
    if (owner !== undefined && isGone(file, owner)) clear(file, owner);
    if (!isSaid && performance.now() > until) {
      tell(
        `another drawbridge ssh-config is at work (${owner}); waiting for it, or remove ${file} if none is`,
      );
      isSaid = true;
    }
    await sleep(pauseMs * (0.5 + Math.random()));
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function isTaken(file: string): boolean {
  try {
    writeFileSync(file, `${hostname()} ${process.pid}`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    throw new CliError(`${file} cannot be written: ${message}; make its folder writable`);
  }
}

function ownerOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function isGone(file: string, owner: string): boolean {
  const [host, pid] = owner.split(" ");
  if (host !== hostname() || pid === undefined) {
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    return Date.now() - mtimeMs > foreignMs;
  }
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Only who holds this second lock may take the first away, and only if it is still the one that was looked at. */
function clear(file: string, owner: string): void {
  const second = `${file}-clearing`;
  if (!isTaken(second)) return;
  if (ownerOf(file) === owner) rmSync(file, { force: true });
  rmSync(second, { force: true });
}
