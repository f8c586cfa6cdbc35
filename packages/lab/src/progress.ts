import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheDir } from "./cache.ts";
import { moduleFile } from "./tools/module-files.ts";

/** Tells a person what a long piece of work is doing. */
export interface Progress {
  /** Runs `work`, with one line when it starts and one with its duration when it ends. Steps may be nested. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Says one thing worth knowing, at the depth of the current step. */
  note(text: string): void;
  /** Says which long steps will come and about how long they take; each is then counted. */
  plan(titles: readonly string[]): void;
}

/** How often a long step says that it goes on. */
const beatMs = 60_000;

/**
 * Progress as plain lines, readable in a terminal and in a log alike:
 * ```
 * 2 steps, about 2 min 14 s
 * [1/2] etcd v3.6.8: building … (about 56.3 s)
 * [1/2] etcd v3.6.8: building: 29.1 s; about 1 min 18 s left
 * ```
 * @param write where a line goes, without its line end; the default is standard error, so that the standard
 *   output of a command stays free for its result
 * @param now the clock in milliseconds
 * @param past what is known from other runs; planned steps are added
 */
export function lineProgress(
  write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
  now: () => number = () => performance.now(),
  past: Durations = pastDurations(),
): Progress {
  // Steps may run side by side, so each knows how deep it is.
  const depth = new AsyncLocalStorage<number>();
  let planned: readonly string[] = [];
  const over = new Set<string>();
  const say = (line: string) => write("  ".repeat(depth.getStore() ?? 0) + line);
  const sum = (titles: readonly string[]) =>
    titles.reduce((total, title) => total + (past.of(title) ?? 0), 0);
  return {
    note: say,
    plan(titles) {
      planned = titles;
      over.clear();
      if (titles.length > 0) say(`${titles.length} steps, about ${duration(sum(titles))}`);
    },
    async step(title, work) {
      const position = planned.indexOf(title) + 1;
      const name = position === 0 ? title : `[${position}/${planned.length}] ${title}`;
      const last = past.of(title);
      const expected = last === undefined || position === 0 ? "" : ` (about ${duration(last)})`;
      const start = now();
      say(`${name} …${expected}`);
      const beat = setInterval(() => say(`${name}: ${duration(now() - start)} so far${expected}`), beatMs);
      beat.unref();
      let result = "failed after ";
      try {
        const value = await depth.run((depth.getStore() ?? 0) + 1, work);
        result = "";
        return value;
      } finally {
        clearInterval(beat);
        const took = now() - start;
        over.add(title);
        if (position > 0 && result === "") past.keep(title, took);
        const left = sum(planned.filter((other) => !over.has(other)));
        say(
          `${name}: ${result}${duration(took)}${position > 0 && left > 0 ? `; about ${duration(left)} left` : ""}`,
        );
      }
    },
  };
}

/** No output at all. */
export const silentProgress: Progress = { step: (_title, work) => work(), note: () => {}, plan: () => {} };

/** A duration for people: `0.4 s`, `12.0 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** How long steps took, in milliseconds. */
interface Durations {
  of(title: string): number | undefined;
  keep(title: string, milliseconds: number): void;
}

/** Those of this machine's last runs; before its first, those of another with two cores (`tools/durations.json`). */
export function pastDurations(file: string = join(cacheDir(), "durations.json")): Durations {
  const known = { ...read(moduleFile("", "durations.json")), ...read(file) };
  return {
    of: (title) => known[stepOf(title)],
    keep: (title, milliseconds) => {
      known[stepOf(title)] = Math.round(milliseconds);
      mkdirSync(dirname(file), { recursive: true });
      // Another process may have kept some of its own since.
      writeFileSync(
        file,
        JSON.stringify({ ...known, ...read(file), [stepOf(title)]: known[stepOf(title)] }, undefined, 2),
      );
    },
  };
}

/** Another version of a program takes about as long. */
function stepOf(title: string): string {
  return title.replace(/ v\d\S*(?=:)/, "");
}

function read(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  } catch {
    // Only an estimate is lost.
    return {};
  }
}
