/**
 * `npm run bench [-- [--only NAME]... [--json FILE] [--compare FILE] [--full]]`: measures drawbridge beside its rivals, in a lab of its own or
 * against the cluster that KUBECONFIG names. Bad arguments end with code 2.
 */
import { spawn } from "node:child_process";
import { lineProgress, preflight, stateDir } from "@drawbridge-iac/lab";
import { readBenchDocument } from "../../scripts/lib/bench-report/json.ts";
import { parseOptions, UsageError } from "../../scripts/lib/bench-report/options.ts";
import { inLab, passSignalsOn } from "../../scripts/lib/own-lab.ts";
import { scenarios } from "./scenarios/index.ts";

const args = process.argv.slice(2);
const steps = ["node", "test/bench/main.ts", ...args] as const;

async function inOwnLab(): Promise<number> {
  await preflight(stateDir(), lineProgress());
  return inLab({ name: `bench-${process.pid}` }, steps);
}

function inOwnCluster(): Promise<number> {
  const [program, ...rest] = steps;
  const child = spawn(program, rest, { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

passSignalsOn();

try {
  const { compare } = parseOptions(args, scenarios);
  // Before the hour that a run may take.
  if (compare !== undefined) readBenchDocument(compare);
  process.exitCode = process.env.KUBECONFIG ? await inOwnCluster() : await inOwnLab();
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
