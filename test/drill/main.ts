/** The drill itself, run by scripts/drill.ts in the network of its lab. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, MayEnd } from "./fault.ts";
import { control, faults } from "./faults/index.ts";
import type { Finding, Watch } from "./invariant.ts";
import { invariants } from "./invariants/index.ts";
import { parseOptions } from "./options.ts";
import { makePlatform } from "./platform.ts";
import { addEntry, type Entry, openRecord } from "./record.ts";
import { type Planned, schedule } from "./schedule.ts";

const options = parseOptions(
  process.argv.slice(2),
  faults.map(({ name }) => name),
  control.name,
);
const kinds = [...faults, control].filter(({ name }) => options.only.includes(name));
const done = openRecord(options.record, { seed: options.seed, kinds: kinds.map(({ name }) => name) });
const planned = schedule(options.seed, kinds, options.faults).slice(done.length);

async function drill(): Promise<Entry[]> {
  const platform = await makePlatform();
  const watches: Watch[] = [];
  const made: Entry[] = [];
  try {
    for (const invariant of invariants) watches.push(await invariant.begin(platform));
    const began = performance.now();
    const clock = () => (performance.now() - began) / 1000;
    const start = planned[0]?.at ?? 0;
    for (const one of planned) {
      if (options.slice !== undefined && clock() > options.slice) break;
      await sleep(Math.max(0, one.at - start - clock()) * 1000);
      const entry = await once(one, watches);
      addEntry(options.record, entry);
      made.push(entry);
      console.log(said(entry));
    }
  } finally {
    await Promise.all(watches.map((watch) => watch.end()));
    await platform.close();
  }
  return made;
}

/** Injects one fault, heals it, and looks at everything. */
async function once({ index, fault, lasts, pick }: Planned, watches: readonly Watch[]): Promise<Entry> {
  const { inject } = kinds.find(({ name }) => name === fault) as Fault;
  const began = performance.now();
  const { target, mayEnd, heal } = await inject(pick);
  await sleep(lasts * 1000);
  const unhealed = await heal().then(
    () => [],
    (error: Error) => [`not whole again: ${error.message}`],
  );
  const seconds = Math.round((performance.now() - began) / 10) / 100;
  const { breaches, ended = 0, logins = {} } = await lookAt(watches, mayEnd);
  return {
    index,
    fault,
    target,
    seconds,
    ended,
    logins: { ...logins },
    breaches: [...unhealed, ...breaches],
  };
}

/** One after the other, in their order. */
async function lookAt(watches: readonly Watch[], mayEnd: MayEnd): Promise<Finding> {
  let all: Finding = { breaches: [] };
  for (const watch of watches) {
    const found = await watch.look(mayEnd);
    all = { ...all, ...found, breaches: [...all.breaches, ...found.breaches] };
  }
  return all;
}

function said({ index, fault, target, seconds, ended, logins, breaches }: Entry): string {
  const slowest = Math.max(0, ...Object.values(logins));
  const line = `${index + 1}. ${fault} (${target}): whole after ${seconds} s, ${ended} sessions ended, slowest login ${slowest} s`;
  return [line, ...breaches.map((breach) => `   BREACH ${breach}`)].join("\n");
}

const all = [...done, ...(planned.length === 0 ? [] : await drill())];
const breaches = all.flatMap((entry) => entry.breaches);
console.log(
  `seed ${options.seed}: ${all.length} of ${options.faults} faults, ${breaches.length} breaches; record: ${options.record}`,
);
process.exit(breaches.length === 0 ? 0 : 1);
