/** Tells a person what a long piece of work is doing. */
export interface Progress {
  /** Runs `work`, with one line when it starts and one with its duration when it ends. Steps may be nested. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Says one thing worth knowing, at the depth of the current step. */
  note(text: string): void;
}

/**
 * Progress as plain lines, readable in a terminal and in a log alike:
 * ```
 * etcd v3.6.8: building …
 * etcd v3.6.8: building: 29.1 s
 * ```
 * @param write where a line goes, without its line end; the default is standard error, so that the standard
 *   output of a command stays free for its result
 * @param now the clock in milliseconds
 */
export function lineProgress(
  write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
  now: () => number = () => performance.now(),
): Progress {
  let depth = 0;
  return {
    note: (text) => write("  ".repeat(depth) + text),
    async step(title, work) {
      const indent = "  ".repeat(depth);
      const start = now();
      const end = (result: string) => write(`${indent}${title}: ${result}`);
      write(`${indent}${title} …`);
      depth += 1;
      try {
        const value = await work();
        end(duration(now() - start));
        return value;
      } catch (error) {
        end(`failed after ${duration(now() - start)}`);
        throw error;
      } finally {
        depth -= 1;
      }
    },
  };
}

/** No output at all. */
export const silentProgress: Progress = { step: (_title, work) => work(), note: () => {} };

/** A duration for people: `0.4 s`, `12.0 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
