import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf, identify, isAlive, type ProcessIdentity } from "./processes.ts";

/**
 * Starts a program as the first process of new namespaces (network, mount, process, IPC, host name), so that ending it ends
 * everything it started and undoes everything it changed. It outlives the caller.
 * @param log file that takes the program's output
 * @returns the first process, as the machine sees it
 */
export async function startInNamespaces(
  command: readonly string[],
  log: string,
  env: NodeJS.ProcessEnv,
): Promise<ProcessIdentity> {
  const output = openSync(log, "a");
  const unshare = spawn(
    "unshare",
    [
      ...["--net", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"],
      ...["--mount-proc", "--propagation=private", "--", ...command],
    ],
    { detached: true, stdio: ["ignore", output, output], env, cwd: "/" },
  );
  closeSync(output);
  const failure = new Promise<never>((_, reject) => {
    unshare.once("error", (error) => reject(new Error(`cannot make namespaces: ${error.message}`)));
    unshare.once("exit", (code) =>
      reject(new Error(`cannot make namespaces: unshare ended with code ${code}; see ${log}`)),
    );
  });
  const first = await Promise.race([failure, firstChild(unshare.pid ?? 0)]);
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
export type NamespaceKind = "net" | "mount" | "pid" | "uts" | "ipc";

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
