/**
 * `npm run drill [-- [--seed N] [--faults N | --hours N] [--slice MINUTES] [--lab NAME] [--record FILE]
 * [--only KIND]... [--control]]`: runs faults one after the other against a platform with three teams on three nodes,
 * in a lab made for this run or in one that is kept (`--lab`). Bad arguments end with code 2.
 */

import { inLab, passSignalsOn } from "../../scripts/lib/own-lab.ts";
import { control, faults } from "./faults/index.ts";
import { parseOptions, UsageError } from "./options.ts";

const args = process.argv.slice(2);

passSignalsOn();

try {
  const kinds = faults.map(({ name }) => name);
  const { lab } = parseOptions(args, kinds, control.name);
  const options = { name: lab ?? `drill-${process.pid}`, nodes: 3 };
  process.exitCode = await inLab(options, ["node", "test/drill/main.ts", ...args], lab !== undefined);
} catch (error) {
  console.error(`drill: ${(error as Error).message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
