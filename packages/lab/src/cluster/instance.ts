import { readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeCgroup } from "./host/cgroups.ts";
import { isAlive, kill, type ProcessIdentity } from "./host/processes.ts";
import { InstanceName, type Layout, layoutOf, stateDir } from "./layout.ts";
import type { StepTime } from "./supervisor/graph.ts";
import { type InstanceStatus, readStatus } from "./supervisor/status.ts";

/** What is written down about an instance, for later commands. */
export interface InstanceRecord {
  name: string;
  /** The `up` that makes it. */
  starter: ProcessIdentity;
  /** Its first process. Default: it has none yet. */
  init?: ProcessIdentity;
}

export async function writeRecord(layout: Layout, record: InstanceRecord): Promise<void> {
  await writeFile(`${layout.record}.new`, JSON.stringify(record));
  await rename(`${layout.record}.new`, layout.record);
}

/** The record, or undefined when there is no such instance. */
export async function readRecord(layout: Layout): Promise<InstanceRecord | undefined> {
  try {
    return JSON.parse(await readFile(layout.record, "utf8")) as InstanceRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A name that a person gave. */
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

/** The names of all instances, running or not. */
export async function instanceNames(): Promise<string[]> {
  try {
    return (await readdir(stateDir())).filter((name) => InstanceName.safeParse(name).success).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** How a start went. */
export interface Ready {
  /** Seconds from the first process to readiness. */
  seconds: number;
  /** Each part of the start, in the order in which they were done. */
  steps: readonly StepTime[];
}

/** Waits until the supervisor says that the instance is ready; throws with the reason when it never will be. */
export async function waitUntilReady(layout: Layout): Promise<Ready> {
  for (;;) {
    const status = await readStatus(layout.status);
    if (status?.phase === "ready") return { seconds: status.seconds ?? 0, steps: status.steps };
    if (status?.phase === "failed") throw await failure(layout, status.error ?? "", status.failedStep);
    const init = (await readRecord(layout))?.init;
    if (init !== undefined && !isAlive(init))
      throw await failure(layout, "the supervisor ended", "supervisor");
    await sleep(50);
  }
}

/** What happened, with the last words of the program concerned: after `down` its log is gone. */
async function failure(layout: Layout, error: string, step: string | undefined): Promise<Error> {
  const log = await readFile(join(layout.logs, `${step}.log`), "utf8").catch(() => "");
  const last = log.trimEnd().split("\n").slice(-20).join("\n");
  return new Error(
    `the cluster did not start: ${error}${last === "" ? "" : `\nlast lines of ${step}.log:\n${last}`}`,
  );
}

/**
 * Ends an instance and removes all that it left: processes, cgroups, state. Mounts, links and rules end with its
 * namespaces. Does nothing where nothing is left.
 * @returns whether there was a running one
 */
export async function down(name: string): Promise<boolean> {
  const layout = layoutOf(checkedName(name));
  const init = (await readRecord(layout))?.init;
  const running = init !== undefined && isAlive(init);
  if (running) await kill(init);
  await removeCgroup(layout.cgroup);
  await rm(layout.root, { recursive: true, force: true });
  // The last one to leave takes the common folder along.
  await rmdir(dirname(layout.root)).catch(() => {});
  return running;
}

/** An instance as `status` shows it: how far it has come, and whether it is there at all. */
export type LabStatus = { name: string } & (
  | { phase: "absent" | "preparing" | "stopped" }
  | (InstanceStatus & { kubeconfig: string })
);

/** Looks at an instance; a name that nobody uses is `absent`, one whose processes have ended `stopped`. */
export async function status(name: string): Promise<LabStatus> {
  const layout = layoutOf(checkedName(name));
  const record = await readRecord(layout);
  if (record === undefined) return { name, phase: "absent" };
  if (record.init === undefined) {
    return { name, phase: isAlive(record.starter) ? "preparing" : "stopped" };
  }
  if (!isAlive(record.init)) return { name, phase: "stopped" };
  const told = await readStatus(layout.status);
  return told === undefined ? { name, phase: "preparing" } : { name, ...told, kubeconfig: layout.kubeconfig };
}
