/** The bench itself, run by test/bench/run.ts where the cluster's addresses can be reached. */
import { writeFile } from "node:fs/promises";
import { stepsBack } from "../../scripts/lib/bench-report/compare.ts";
import { benchDocument, readBenchDocument } from "../../scripts/lib/bench-report/json.ts";
import { benchMeta } from "../../scripts/lib/bench-report/meta.ts";
import { parseOptions } from "../../scripts/lib/bench-report/options.ts";
import type { Samples } from "../../scripts/lib/bench-report/scenario.ts";
import { table } from "../../scripts/lib/bench-report/table.ts";
import { leftBehind, removeAll } from "./cleanup.ts";
import { scenarios } from "./scenarios/index.ts";

const options = parseOptions(process.argv.slice(2), scenarios);
const chosen = scenarios.filter(({ name }) => options.only.includes(name));
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(0)} s`;

const before = options.compare === undefined ? undefined : readBenchDocument(options.compare);

let interrupted = false;

/** Runs the scenarios one after the other; one that fails does not keep the others from running. */
async function runAll(): Promise<number> {
  const meta = await benchMeta(options.full);
  console.log(
    Object.entries(meta)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join("\n"),
  );
  const results: Record<string, Samples> = {};
  const failed: string[] = [];
  for (const { name, title, run, runFull } of chosen) {
    const began = performance.now();
    console.log(`\n=== ${name}: ${title}`);
    try {
      const wanted = (options.full ? runFull : undefined) ?? run;
      const samples = await wanted((line) => console.log(`  ${seconds(began)}: ${line}`));
      results[name] = samples;
      console.log(`\n${table(samples)}\n${name}: done after ${seconds(began)}`);
    } catch (error) {
      // What fails under an interruption's removals is no fault.
      if (interrupted) break;
      failed.push(name);
      console.error(`${name}: failed after ${seconds(began)}: ${(error as Error).stack ?? error}`);
    }
    // Written after each, so that a later failure loses nothing.
    if (options.json !== undefined) {
      await writeFile(options.json, `${JSON.stringify(benchDocument(meta, results), null, 2)}\n`);
    }
  }
  console.log(
    `\n${Object.keys(results).length} scenarios measured, ${failed.length} failed ${failed.join(", ")}`.trimEnd(),
  );
  return failed.length + leftBehind() + compared(results) === 0 ? 0 : 1;
}

/** Says which ratios got worse than in the earlier run, and how many. */
function compared(results: Readonly<Record<string, Samples>>): number {
  if (before === undefined) return 0;
  const worse = stepsBack(before, results);
  console.log(
    `beside commit ${before.meta.commit}: ${worse.length} ratios got worse by more than their spread`,
  );
  for (const line of worse) console.log(`  ${line}`);
  return worse.length;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, async () => {
    // The terminal and the starter may both send it.
    if (interrupted) return;
    interrupted = true;
    console.error("interrupted: removing what was made …");
    await removeAll().catch((error: Error) => console.error(error.message));
    process.exit(130);
  });
}

const code = await runAll();
if (!interrupted) process.exit(code);
