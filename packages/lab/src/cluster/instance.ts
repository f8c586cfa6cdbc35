import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { isAlive, type ProcessIdentity } from "./host/processes.ts";
import { InstanceName, type Layout, layoutOf, stateDir } from "./layout.ts";

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
