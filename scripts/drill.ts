/**
 * `npm run drill [-- [--seed N] [--faults N | --hours N] [--slice MINUTES] [--lab NAME] [--record FILE] [--only KIND]...
 * [--control]]`: faults, one after the other, against a platform with three teams on three nodes, in a lab of its own or in
 * one that is kept. Bad arguments end with code 2.
 */
import { down, ensureDebianPackages, execInLab, lineProgress, up } from "@drawbridge-iac/lab";
import { control, faults } from "../test/drill/faults/index.ts";
import { parseOptions, UsageError } from "../test/drill/options.ts";
import { clientPackages } from "./lib/set-up.ts";
import { passSignalsOn } from "./lib/signals.ts";

const args = process.argv.slice(2);
const progress = lineProgress();

passSignalsOn();

try {
  const kinds = faults.map(({ name }) => name);
  const { lab } = parseOptions(args, kinds, control.name);
  const name = lab ?? `drill-${process.pid}`;
  await ensureDebianPackages(clientPackages, progress);
  try {
    await up({ name, nodes: 3 }, progress);
    process.exitCode = await execInLab(name, ["node", "test/drill/main.ts", ...args]);
  } finally {
    if (lab === undefined) await down(name);
  }
} catch (error) {
  console.error(`drill: ${(error as Error).message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
