/** How fast the machine itself is while it is drilled: what is late on a machine that stands still is no defect. */
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../../scripts/lib/lab/lab.ts";

/**
 * Seconds that a program which does nothing may take, in the middle of all its starts. On an idle machine it takes some
 * 0.05, and the drill's bounds leave room for a machine that is ten times slower.
 */
const bound = 1;

export interface Pulse {
  /** The middle one of the times measured since the last call, in seconds. */
  take(): number;
  end(): Promise<void>;
}

/** Starts a program that does nothing, every other second. */
export function startPulse(): Pulse {
  let beats: number[] = [];
  let going = true;
  const beating = (async () => {
    while (going) {
      const began = performance.now();
      await run(process.execPath, ["-e", "0"]);
      beats.push((performance.now() - began) / 1000);
      await sleep(2000);
    }
  })();
  return {
    take() {
      const middle = middleOf(beats);
      beats = [];
      return middle;
    },
    end: async () => {
      going = false;
      await beating;
    },
  };
}

/** The middle one, in hundredths; 0 of none. */
export function middleOf(seconds: readonly number[]): number {
  const sorted = seconds.toSorted((one, other) => one - other);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 100) / 100;
}

/** Whether what was late is the machine's. */
export const tooSlow = (beat: number): boolean => beat > bound;
