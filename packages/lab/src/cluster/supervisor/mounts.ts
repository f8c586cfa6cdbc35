import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { mountsSh } from "../../made/programs.ts";

/** Gives a node its own folders (mounts.sh). They would hide files written before, so no program may run yet. */
export async function makeMounts(root: string, machineLogs: string): Promise<void> {
  await promisify(execFile)("sh", ["-euc", mountsSh, "sh", root, machineLogs]);
}
