/** The drill itself, run by test/drill/run.ts in the network of its lab. */
import { setTimeout as sleep } from "node:timers/promises";
import { addEntry, type Entry, openRecord, summary } from "../../scripts/lib/drill-report/record.ts";
import { anything, Breach, type Fault } from "./fault.ts";
import { control, faults } from "./faults/index.ts";
import type { Finding, Scene, Watch } from "./invariant.ts";
import { invariants } from "./invariants/index.ts";
import { parseOptions } from "./options.ts";
import { makePlatform, type Platform } from "./platform.ts";
import { type Pulse, startPulse, tooSlow } from "./pulse.ts";
import { type Planned, schedule } from "./schedule.ts";
import { makeWhole, whole } from "./whole.ts";

const options = parseOptions(
  process.argv.slice(2),
  faults.map(({ name }) => name),
  control.name,
);
const kinds = [...faults, control].filter(({ name }) => options.only.includes(name));
const all = openRecord(options.record, { seed: options.seed, kinds: kinds.map(({ name }) => name) });
const planned = schedule(options.seed, kinds, options.faults).slice(all.length);

/** Whether the hours that were asked for have been drilled, in all slices together. */
const enough = () =>
  options.seconds !== undefined && all.reduce((sum, { took }) => sum + took, 0) >= options.seconds;

async function drill(): Promise<void> {
  const platform = await makePlatform({ kept: options.lab !== undefined });
  const watches: Watch[] = [];
  const pulse = startPulse();
  try {
    for (const invariant of invariants) watches.push(await invariant.begin(platform));
    const began = performance.now();
    const clock = () => (performance.now() - began) / 1000;
    // What comes first comes at once, wherever the slice before ended.
    const start = planned[0]?.at ?? 0;
    for (const one of planned) {
      if (enough() || (options.slice !== undefined && clock() > options.slice)) break;
      const before = clock();
      await sleep(Math.max(0, one.at - start - clock()) * 1000);
      const { entry, broken } = await once(one, platform, watches, pulse);
      const done = { ...entry, took: rounded(clock() - before) };
      addEntry(options.record, done);
      all.push(done);
      console.log(said(done));
      if (broken !== undefined) throw broken;
    }
  } finally {
    await Promise.all([pulse.end(), ...watches.map((watch) => watch.end())]);
    // What ended the drill is the news, and the lab goes as a whole.
    await platform.close().catch((error: Error) => console.error(`not removed: ${error.message}`));
  }
}

/** Injects one fault, heals it, and looks at everything. `broken` says why no other can come after it. */
async function once(
  { index, fault, lasts, pick }: Planned,
  platform: Platform,
  watches: readonly Watch[],
  pulse: Pulse,
): Promise<{ entry: Omit<Entry, "took">; broken: Error | undefined }> {
  const { inject } = kinds.find(({ name }) => name === fault) as Fault;
  pulse.take();
  const injected = Date.now();
  const made = await inject(pick, platform).catch((error: Error) => error);
  const failed = made instanceof Error;
  if (!failed) await sleep(lasts * 1000);
  const unhealed = await (failed ? makeWhole() : made.heal().then(whole)).then(
    () => undefined,
    (error: Error) => error,
  );
  const seconds = rounded((Date.now() - injected) / 1000);
  let broken = unhealed === undefined ? undefined : await makeWhole().catch((error: Error) => error);
  const found = await lookAt(watches, { mayEnd: failed ? anything : made.mayEnd, injected }).catch(
    (error: Error): Finding => {
      // A fault that leaves something so that it cannot be looked at is told before it ends the drill.
      broken ??= error;
      return { breaches: [`cannot be looked at: ${error.message}`] };
    },
  );
  const seen = unhealed instanceof Breach ? [unhealed.message] : [];
  const late = [
    ...(unhealed === undefined || unhealed instanceof Breach ? [] : [`not whole again: ${unhealed.message}`]),
    ...(found.late ?? []),
  ];
  const beat = pulse.take();
  const entry = {
    index,
    fault,
    target: failed ? "" : made.target,
    ...(failed ? { notInjected: `could not be injected: ${made.message}` } : {}),
    seconds,
    ended: found.ended ?? 0,
    ...(found.told === undefined ? {} : { told: found.told }),
    logins: { ...found.logins },
    breaches: [...seen, ...found.breaches, ...(tooSlow(beat) ? [] : late)],
    machine: tooSlow(beat) ? late : [],
    beat,
  };
  return { entry, broken: broken ?? undefined };
}

/** The first one by itself, since who cannot log in cannot be asked for more; then all others at once. */
async function lookAt([first, ...others]: readonly Watch[], scene: Scene): Promise<Finding> {
  if (first === undefined) throw new Error("there is nothing to look at");
  const found = [await first.look(scene), ...(await Promise.all(others.map((watch) => watch.look(scene))))];
  return {
    ...(Object.assign({}, ...found) as Finding),
    breaches: found.flatMap(({ breaches }) => breaches),
    late: found.flatMap(({ late = [] }) => late),
  };
}

function said({ index, fault, target, notInjected, seconds, ended, told, logins, ...rest }: Entry): string {
  const slowest = Math.max(0, ...Object.values(logins));
  const what =
    notInjected ??
    `(${target}): whole after ${seconds} s, ${ended} sessions ended${told === undefined ? "" : `, told after ${told} s`}, slowest login ${slowest} s`;
  return [
    `${index + 1}. ${fault} ${what}`,
    ...rest.breaches.map((breach) => `   BREACH ${breach}`),
    ...rest.machine.map((late) => `   the machine's (${rest.beat} s): ${late}`),
  ].join("\n");
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

try {
  if (planned.length > 0 && !enough()) await drill();
} catch (error) {
  // Pulumi's own handler of what nobody catches would end with 0.
  console.error(`the drill ended after ${all.length} faults:`, error);
  process.exit(1);
}
console.log(`seed ${options.seed}: ${summary(all)}; record: ${options.record}`);
process.exit(all.some(({ breaches }) => breaches.length > 0) ? 1 : 0);
