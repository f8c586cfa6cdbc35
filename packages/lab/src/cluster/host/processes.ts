import { execFile, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** Runs a program to its end; fails unless it succeeds. */
export const exec = promisify(execFile);

/** Runs a program that reads its standard input; returns its exit code, and what it wrote to standard error. */
export async function execWithInput(
  [program, ...args]: readonly [string, ...string[]],
  input: Readable,
): Promise<{ code: number | null; complaint: string }> {
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [complaint, code] = await Promise.all([
    text(child.stderr),
    ended,
    // When the reader gives up, its own words say more than a broken pipe.
    pipeline(input, child.stdin).catch(() => {}),
  ]);
  return { code, complaint };
}

/** One process for certain: a number alone comes to mean another process once the first has ended. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks from the machine's boot to the process's start. */
  startTime: string;
}

/** Fields of /proc/PID/stat after the program's name, which may itself hold spaces and brackets. */
function statOf(pid: number): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    return line.slice(line.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** The process that has this number now; undefined if none has it, or only a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  const stat = statOf(pid);
  const [state, startTime] = [stat?.[0], stat?.[19]];
  return startTime === undefined || state === "Z" || state === "X" ? undefined : { pid, startTime };
}

export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return identify(pid)?.startTime === startTime;
}

export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => statOf(pid)?.[1] === String(parent));
}

/** Kills the process and waits until it is gone. */
export async function kill(identity: ProcessIdentity, limitSeconds = 30): Promise<void> {
  const end = performance.now() + limitSeconds * 1000;
  while (isAlive(identity)) {
    if (performance.now() > end)
      throw new Error(`process ${identity.pid} did not end within ${limitSeconds} s of SIGKILL`);
    process.kill(identity.pid, "SIGKILL");
    await sleep(50);
  }
}

/**
 * Starts a program as the first process of new namespaces (network, mount, process, IPC, host name), so that ending it ends
 * everything it started and undoes everything it changed. It outlives the caller.
 * @param log file that takes the program's output
 * @param parent a process in whose process namespace the new one is to be, so that it ends with that one
 * @returns the first process, as the machine sees it
 */
export async function startInNamespaces(
  command: readonly string[],
  log: string,
  env: NodeJS.ProcessEnv,
  parent?: ProcessIdentity,
): Promise<ProcessIdentity> {
  const output = openSync(log, "a");
  const separated = [
    ...["unshare", "--net", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"],
    ...["--mount-proc", "--propagation=private", "--", ...command],
  ];
  const [program = "", ...args] = parent === undefined ? separated : inside(parent, ["pid"], separated);
  const unshare = spawn(program, args, {
    detached: true,
    stdio: ["ignore", output, output],
    env,
    cwd: "/",
  });
  closeSync(output);
  const failure = new Promise<never>((_, reject) => {
    unshare.once("error", (error) => reject(new Error(`cannot make namespaces: ${error.message}`)));
    unshare.once("exit", (code) =>
      reject(new Error(`cannot make namespaces: unshare ended with code ${code}; see ${log}`)),
    );
  });
  // nsenter enters a process namespace by starting a child there, and only that child makes the new namespaces.
  const below =
    parent === undefined ? firstChild : async (pid: number) => firstChild((await firstChild(pid)).pid);
  const first = await Promise.race([failure, below(unshare.pid ?? 0)]);
  failure.catch(() => {});
  unshare.unref();
  return first;
}

async function firstChild(parent: number): Promise<ProcessIdentity> {
  for (;;) {
    const [child] = childrenOf(parent);
    const identity = child === undefined ? undefined : identify(child);
    if (identity !== undefined) return identity;
    await sleep(10);
  }
}

/** Namespaces that a command can be run in. */
type NamespaceKind = "net" | "mount" | "pid" | "uts" | "ipc";

/**
 * The command line that runs `command` in some namespaces of an instance and otherwise on the machine.
 * @throws when the instance has ended
 */
export function inside(
  first: ProcessIdentity,
  kinds: readonly NamespaceKind[],
  command: readonly string[],
): [string, ...string[]] {
  if (!isAlive(first)) throw new Error(`the instance's first process, ${first.pid}, has ended`);
  return ["nsenter", `--target=${first.pid}`, ...kinds.map((kind) => `--${kind}`), "--", ...command];
}
