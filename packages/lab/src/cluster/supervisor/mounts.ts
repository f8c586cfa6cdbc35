import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { mountsSh } from "../../made/programs.ts";

/** Must be done before any program is started: files written in between would be hidden. */
export async function makeMounts(root: string, machineLogs: string): Promise<void> {
  await promisify(execFile)("sh", ["-euc", mountsSh, "sh", root, machineLogs]);
}
