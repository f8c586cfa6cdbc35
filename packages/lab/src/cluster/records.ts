/** The records of nodes: which process each is, and how far its start has come. */
import { renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, type ProcessIdentity } from "./host/processes.ts";
import { InstanceName, layoutOf, type NodeLayout } from "./layout.ts";
import { lookEveryMs } from "./nodes/plan.ts";
import type { StepTime } from "./supervisor/graph.ts";
import type { ProgramState } from "./supervisor/keeper.ts";

/** A node's record. */
export interface NodeRecord {
  name: string;
  /** Its first process, once it has one. */
  init?: ProcessIdentity;
}

/** The record of an instance; its first process is that of its first node. */
export interface InstanceRecord extends NodeRecord {
  /** The process of the `up` that starts it. */
  starter: ProcessIdentity;
}

/** How far a node has come, written by its supervisor. */
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
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** What a file holds; undefined where there is none. */
async function readIfThere<Kept>(path: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function writeRecord(layout: NodeLayout, record: NodeRecord): void {
  replaceFile(layout.record, JSON.stringify(record));
}

/** The record; undefined for an instance or node that was never started. */
export function readRecord<Kept extends NodeRecord = InstanceRecord>(
  layout: NodeLayout,
): Promise<Kept | undefined> {
  return readIfThere(layout.record);
}

export function writeStatus(layout: NodeLayout, status: InstanceStatus): void {
  replaceFile(layout.status, `${JSON.stringify(status, undefined, 2)}\n`);
}

/** A node's status; undefined before its supervisor wrote the first. */
export function readStatus(layout: NodeLayout): Promise<InstanceStatus | undefined> {
  return readIfThere(layout.status);
}

/** The name given on the command line, if an instance can have it. */
export function checkedName(name: string): string {
  const result = InstanceName.safeParse(name);
  if (result.success) return result.data;
  throw new Error(`"${name}" is no name for a lab: ${result.error.issues[0]?.message}`);
}

/** The first process of a running instance. */
export async function runningInit(name: string): Promise<ProcessIdentity> {
  const { init } = (await readRecord(layoutOf(checkedName(name)))) ?? {};
  if (init !== undefined && isAlive(init)) return init;
  throw new Error(`no lab named "${name}" is running; start it with: drawbridge-lab up --name ${name}`);
}

/** How a start went. */
export interface Ready {
  /** Seconds from the first process to readiness. */
  seconds: number;
  /** Each part of the start, in the order in which they were done. */
  steps: readonly StepTime[];
}

/**
 * Waits until its supervisor says that a node is ready; throws the reason if it failed.
 * @param ended what is said if its first process has ended
 * @param limitSeconds after which it gives up; by default the supervisor's own limits hold
 */
export async function waitUntilReady(
  layout: NodeLayout,
  ended = "the supervisor ended",
  limitSeconds = Number.POSITIVE_INFINITY,
): Promise<Ready> {
  const end = performance.now() + limitSeconds * 1000;
  for (;;) {
    const status = await readStatus(layout);
    if (status?.phase === "ready") return { seconds: status.seconds ?? 0, steps: status.steps };
    if (status?.phase === "failed") throw await failure(layout, status.error ?? "", status.failedStep);
    const init = (await readRecord<NodeRecord>(layout))?.init;
    if (init !== undefined && !isAlive(init)) throw await failure(layout, ended, "supervisor");
    if (performance.now() > end)
      throw await failure(layout, `not ready within ${limitSeconds} s`, "supervisor");
    await sleep(lookEveryMs());
  }
}

/** The error with the last lines of the failed step's log, because `down` removes the log. */
export async function failure(layout: NodeLayout, error: string, step: string | undefined): Promise<Error> {
  const log = await readFile(join(layout.logs, `${step}.log`), "utf8").catch(() => "");
  const last = log.trimEnd().split("\n").slice(-20).join("\n");
  return new Error(
    `the cluster did not start: ${error}${last === "" ? "" : `\nlast lines of ${step}.log:\n${last}`}`,
  );
}
