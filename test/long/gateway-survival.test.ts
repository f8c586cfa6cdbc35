/** Fifty sessions over a hundred changes and a restart of istiod, and what the seed's own design makes of fifty. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { eventually, gatewayStats, Laptop } from "../../scripts/lib/lab/lab.ts";
import { drainSeconds, endStack, testGateway, testNamespace } from "../support/lab/cluster.ts";
import {
  addSeedRoute,
  closeAll,
  openCounters,
  podsOf,
  restartIstiod,
  seedBlock,
} from "../support/stacks/gateways.ts";
import { type Declared, declaredIn, rounds, survivalContainers } from "../support/stacks/survival.ts";

const team = "team-survive";
const ours = "gw-survive";
/** The gateway that is run by seed 002's own design. */
const baseline = "gw-survive-seed";
const sessionsInAll = 50;
const listenerCounters = [
  "listener_manager_listener_in_place_updated",
  "listener_manager_listener_modified",
  "listener_manager_listener_added",
  "listener_manager_listener_removed",
  "listener_manager_total_filter_chains_draining",
  "listener_manager_total_listeners_draining",
];

let laptop: Laptop;
let others: Laptop[];
let containers: Record<string, Declared>;
let stack: Awaited<ReturnType<typeof testStack>>;

async function program() {
  const gateway = testGateway(ours, { domain: "survive.example.com" });
  const seeds = testGateway(baseline, { domain: "seed.example.com", admissionPolicy: false, audit: false });
  const namespace = testNamespace(team);
  const base = survivalContainers(containers, {
    team,
    namespace,
    gateway,
    seeds: baseline,
    publicKey: laptop.publicKey,
  });
  return { sshConfig: base?.sshConfig, knownHosts: base?.knownHosts, seed: seeds.address };
}

const declared = (round: number) =>
  declaredIn(
    round,
    others.map(({ publicKey }) => publicKey),
  );

beforeAll(async () => {
  laptop = await Laptop.create();
  others = await Promise.all([Laptop.create("bob"), Laptop.create("carol")]);
  containers = declared(0);
  stack = await testStack(program);
  const { outputs } = await stack.stack.up();
  const seed = seedBlock("by-seed", outputs.seed?.value as string, "base", team);
  await laptop.configure(`${seed}\n${outputs.sshConfig?.value}`, outputs.knownHosts?.value as string);
  await addSeedRoute(baseline, "base", team);
  for (const way of ["base", "by-seed"]) await laptop.login(way);
});

afterAll(() => endStack(stack, [team], laptop, ...others));

it("loses no line of 50 sessions over 100 changes and a restart of istiod", async () => {
  const stats = () => gatewayStats(ours, podsOf(ours), listenerCounters);
  const sessions = await openCounters(laptop, "base", sessionsInAll);
  try {
    const before = await stats();
    const began = Date.now();
    let resources = 0;
    for (let round = 1; round <= rounds; round++) {
      containers = declared(round);
      const { summary } = await stack.stack.up();
      const { same: _, ...changed } = (summary.resourceChanges ?? {}) as Record<string, number>;
      resources += Object.values(changed).reduce((sum, count) => sum + count, 0);
      if (round === rounds / 2) await restartIstiod();
    }
    const seconds = Math.round((Date.now() - began) / 1000);
    await new Promise((resolve) => setTimeout(resolve, drainSeconds * 3 * 1000));
    expect(await stats()).toEqual(before);
    const lines = sessions.map((session) => session.lines.length);
    await Promise.all(sessions.map((session, index) => session.reached((lines[index] ?? 0) + 3)));
    const alive = sessions.filter((session) => session.alive).length;
    const unbroken = sessions.filter((session) => session.unbroken).length;
    const total = sessions.reduce((sum, session) => sum + session.lines.length, 0);
    console.log(
      `${rounds * 10} containers changed (${resources} resources) in ${seconds} s: ${alive} of ${sessions.length} sessions alive, ${unbroken} unbroken, ${total} lines; listener counters ${JSON.stringify(before)} before and after`,
    );
    expect({ alive, unbroken }).toEqual({ alive: sessionsInAll, unbroken: sessionsInAll });
  } finally {
    await closeAll(sessions);
  }
});

it("while the seed's own design loses all 50 by one change", async () => {
  const sessions = await openCounters(laptop, "by-seed", sessionsInAll);
  try {
    const changedAt = Date.now();
    await addSeedRoute(baseline, "edited-a", team);
    await eventually("the cut", async () => !sessions.some((session) => session.alive), drainSeconds * 10);
    const times = sessions.map((session) => ((session.endedAt ?? 0) - changedAt) / 1000);
    console.log(
      `the seed's design lost ${times.length} of ${sessions.length} sessions ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} s after one change (drain time: ${drainSeconds} s)`,
    );
    // They lived until the drain was over: it was the change that ended them.
    expect(Math.min(...times)).toBeGreaterThan(drainSeconds - 1);
  } finally {
    await closeAll(sessions);
  }
});
