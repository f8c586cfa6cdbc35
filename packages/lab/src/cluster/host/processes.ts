import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

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

/** Who has this number now; undefined when nobody has, or only the remains of an ended process. */
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

/**
 * Kills the process and waits until it is gone.
 * @param limit seconds to wait
 */
export async function kill(identity: ProcessIdentity, limit = 30): Promise<void> {
  const end = performance.now() + limit * 1000;
  while (isAlive(identity)) {
    if (performance.now() > end)
      throw new Error(`process ${identity.pid} did not end within ${limit} s of SIGKILL`);
    process.kill(identity.pid, "SIGKILL");
    await sleep(50);
  }
}
