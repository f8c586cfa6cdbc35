import { renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { StepTime } from "./graph.ts";
import type { ProgramState } from "./keeper.ts";

/** How far an instance has come. */
export interface InstanceStatus {
  phase: "starting" | "ready" | "failed";
  /** Why it failed; only in phase `failed`. */
  error?: string;
  /** The step that failed; only in phase `failed`. */
  failedStep?: string;
  /** Seconds from the supervisor's start to readiness; only in phase `ready`. */
  seconds?: number;
  steps: StepTime[];
  programs: ProgramState[];
}

/** Replaces the file in one go, so that a reader never sees half of it. */
export function writeStatus(path: string, status: InstanceStatus): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(status, undefined, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/** The instance's status, or undefined before the supervisor wrote its first. */
export async function readStatus(path: string): Promise<InstanceStatus | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as InstanceStatus;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
