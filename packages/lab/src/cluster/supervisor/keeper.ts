import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Probe } from "./probes.ts";

/** A program of the cluster: how it is started, and when it counts as ready for use. */
export interface Program {
  /** Also the name of its log file. */
  name: string;
  /** Names of the steps that must be done before it is started. */
  after: readonly string[];
  command: string;
  args: readonly string[];
  /** Added to the supervisor's own environment. */
  env?: Readonly<Record<string, string>>;
  /** Files written before each start, by absolute path. */
  files?: Readonly<Record<string, string>>;
  /** Folders made before each start. */
  folders?: readonly string[];
  /** Working directory. Default: the file system's root. */
  directory?: string;
  ready: Probe;
}

/** What the status file tells about a program. */
export interface ProgramState {
  name: string;
  /** Process id inside the instance; undefined between an end and the next start. */
  pid: number | undefined;
  restarts: number;
  /** How it ended last; undefined if it never did. */
  lastEnd?: string;
}

/** A program that lived this long is restarted at once; one that ends sooner, after ever longer pauses. */
const healthyMs = 10_000;
const longestPauseMs = 5_000;

/** Keeps one program running for the life of the supervisor. */
export class Keeper {
  readonly #program: Program;
  readonly #logs: string;
  readonly #changed: () => void;
  #child: ChildProcess | undefined;
  #restarts = 0;
  #lastEnd: string | undefined;
  #quickEnds = 0;

  /** @param changed called after each start and end */
  constructor(program: Program, logs: string, changed: () => void) {
    this.#program = program;
    this.#logs = logs;
    this.#changed = changed;
  }

  get state(): ProgramState {
    const state = { name: this.#program.name, pid: this.#child?.pid, restarts: this.#restarts };
    return this.#lastEnd === undefined ? state : { ...state, lastEnd: this.#lastEnd };
  }

  start(): void {
    const { command, args, env, files = {}, folders = [], directory = "/" } = this.#program;
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    const log = openSync(join(this.#logs, `${this.#program.name}.log`), "a");
    const child = spawn(command, args, {
      cwd: directory,
      env: { ...process.env, ...env },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    const began = performance.now();
    this.#child = child;
    child.once("error", (error) => this.#ended(error.message, began));
    child.once("exit", (code, signal) => this.#ended(signal ?? `exit code ${code}`, began));
    this.#changed();
  }

  /** Ends a program that runs, for good; for tests. */
  stop(): void {
    const child = this.#child;
    this.#child = undefined;
    child?.kill("SIGKILL");
  }

  #ended(how: string, began: number): void {
    if (this.#child === undefined) return;
    this.#child = undefined;
    this.#lastEnd = how;
    this.#quickEnds = performance.now() - began < healthyMs ? this.#quickEnds + 1 : 0;
    console.error(`${this.#program.name} ended (${how})`);
    this.#changed();
    setTimeout(() => {
      this.#restarts += 1;
      this.start();
    }, pauseAfter(this.#quickEnds));
  }
}

/** Milliseconds to wait before the next start, after so many starts in a row that soon ended. */
export function pauseAfter(quickEnds: number): number {
  return quickEnds === 0 ? 0 : Math.min(longestPauseMs, 100 * 2 ** quickEnds);
}
