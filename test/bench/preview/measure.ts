/** Runs one job in a process of its own and measures it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { watchEngine } from "./engine.ts";
import type { Job, Outcome } from "./job.ts";

/** Figures of one operation: seconds and bytes. */
export interface Measured {
  /** Until everything is imported. */
  readonly start: number;
  readonly wall: number;
  /** Processor time of the program and of Pulumi's engine, without the provider's. */
  readonly cpu: number;
  /** The most that the program's process had, and the most that the engine's had. */
  readonly memory: number;
}

// Without this project's own condition, so that the packages are compiled ones, as they are for users.
const ownEnv = { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" };
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * @param expected how many resources the operation has to be about, so that the rivals do the same work
 */
export async function measure(job: Job, expected: number): Promise<Measured> {
  // A provider that the program makes takes KUBECONFIG from the program's own environment.
  const { text, engine } = await output("operation.ts", [JSON.stringify(job)], job.cli.env);
  const outcome: Outcome = JSON.parse(text);
  const resources = Object.values(outcome.changes).reduce((sum, count) => sum + count, 0);
  if (resources !== expected) {
    throw new Error(
      `${job.operation} of ${job.count} ${job.writing}: ${resources} resources instead of ${expected}`,
    );
  }
  return {
    start: outcome.start,
    wall: outcome.wall,
    cpu: outcome.programCpu + engine.cpu,
    memory: outcome.programMemory + engine.memory,
  };
}

/** The raw objects of one container, as text. */
export async function rawTemplate(): Promise<string> {
  return (await output("template.ts", [])).text;
}

/** Runs a program of this folder to its end. */
function output(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [file(name), ...args], {
    env: { ...ownEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const watch = watchEngine(child.pid ?? 0);
  let text = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise<{ text: string; engine: ReturnType<typeof watch.stop> }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const engine = watch.stop();
      if (code === 0) resolve({ text, engine });
      else reject(new Error(`${name} ended with code ${code}: ${errors || text}`));
    });
  });
}
