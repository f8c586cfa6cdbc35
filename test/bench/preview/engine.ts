/** What a Pulumi engine takes while it runs, as the kernel counts it. */
import { readFileSync } from "node:fs";

/** Processor seconds, and the most memory in bytes. */
export interface Usage {
  readonly cpu: number;
  readonly memory: number;
}

/** Clock ticks of a second, the same on every Linux of today. */
const ticks = 100;

/** Of a process that runs; undefined when it has ended. */
function usageOf(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    if (peak === undefined) return undefined;
    return { cpu: (Number(fields[11]) + Number(fields[12])) / ticks, memory: Number(peak) * 1024 };
  } catch {
    return undefined;
  }
}

/** Processes that a program has started, from its first thread. */
function childrenOf(program: number): number[] {
  try {
    const text = readFileSync(`/proc/${program}/task/${program}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/**
 * Watches the Pulumi commands that a program starts one after the other. The operation is the one that works most: others
 * come before it, and after an `up` one that reads the outputs. What it takes in its last 20 ms is missed.
 */
export function watchEngine(program: number): { stop: () => Usage } {
  const commands = new Map<number, Usage>();
  const look = () => {
    for (const pid of childrenOf(program)) {
      const usage = usageOf(pid);
      if (usage !== undefined) commands.set(pid, usage);
    }
  };
  const timer = setInterval(look, 20);
  return {
    stop() {
      clearInterval(timer);
      return [...commands.values()].reduce((most, usage) => (usage.cpu > most.cpu ? usage : most), idle);
    },
  };
}

const idle: Usage = { cpu: 0, memory: 0 };
