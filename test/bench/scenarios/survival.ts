/** Sessions over changes to other containers: one route per container against the seed's inline filter. */
import { selectorLabels } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { kubectl, Laptop } from "../../../scripts/lib/lab/lab.ts";
import { testNamespace } from "../../support/lab/cluster.ts";
import { inlineEnvoyFilter, namingRoute } from "../../support/seed-design.ts";
import { closeAll, openCounters, seedBlock } from "../../support/stacks/gateways.ts";
import { declaredIn, rounds, survivalContainers } from "../../support/stacks/survival.ts";
import { withCleanup } from "../cleanup.ts";
import { benchGateway } from "../support/gateway.ts";
import { Recorder, wait } from "../support/samples.ts";
import { benchStack } from "../support/stack.ts";

const team = "bench-survival";
const ours = "bench-survival-gw";
const seeds = "bench-survival-seed";
const sessionsEach = 50;
/** Istio's default for a proxy; both gateways' have it, although ours would keep an outdated listener for an hour. */
const drainSeconds = 45;
/** What gives a proxy that drain: sessions have its first two thirds for certain. */
const drain = { drainSeconds: 30 };
/** Seldom enough that a hundred sessions leave the machine to the changes. */
const countEveryMs = 3000;

/** Applies the seed's own filters for containers and their ports. */
async function applySeedFilters(ports: Readonly<Record<string, number>>): Promise<void> {
  const selector = selectorLabels("ssh-gateway", seeds);
  const items = Object.entries(ports).flatMap(([name, port]) => {
    const host = `${name}.${team}.svc.cluster.local`;
    return [namingRoute(name, seeds, host, port), inlineEnvoyFilter(name, seeds, selector, host, port)];
  });
  await kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
}

/** A round's changes in the seed's design, whose filters know nothing of keys. */
async function changeSeedFilters(round: number): Promise<void> {
  const port = 8000 + round;
  await applySeedFilters({
    "edited-a": port,
    "edited-b": port,
    [`new-${round}-a`]: 22,
    [`new-${round}-b`]: 22,
  });
  const gone = [`new-${round - 1}-a`, `new-${round - 1}-b`];
  await kubectl(["-n", seeds, "delete", "envoyfilter", ...gone, "--ignore-not-found"]);
}

async function run(progress: (line: string) => void): Promise<Samples> {
  return withCleanup(async (later) => {
    const laptops = await Promise.all(["alice", "bob", "carol"].map((name) => Laptop.create(name)));
    for (const each of laptops) later(() => each.remove());
    const [laptop, ...others] = laptops as [Laptop, ...Laptop[]];
    const keys = others.map(({ publicKey }) => publicKey);
    let containers = declaredIn(0, keys);

    const { stack } = await benchStack(later, async () => {
      const gateway = benchGateway(ours, "survival.example.com", drain);
      // Listeners as the seed's gateway has them; its routes come from its own filters.
      const bare = { ...drain, admissionPolicy: false, audit: false };
      const seed = benchGateway(seeds, "seed.example.com", bare);
      const namespace = testNamespace(team);
      const base = survivalContainers(containers, {
        team,
        namespace,
        gateway,
        seeds,
        publicKey: laptop.publicKey,
      });
      return { sshConfig: base?.sshConfig, knownHosts: base?.knownHosts, seed: seed.address };
    }, [team]);
    const { outputs } = await stack.up();
    const seedConfig = seedBlock("by-seed", String(outputs.seed?.value), "base", team);
    await laptop.configure(`${seedConfig}\n${outputs.sshConfig?.value}`, String(outputs.knownHosts?.value));
    await applySeedFilters({ base: 22 });
    for (const way of ["base", "by-seed"]) await laptop.login(way, "true", 180);
    // The filter's own change must be over before the sessions begin.
    await wait(drainSeconds);

    const open = (way: string) => openCounters(laptop, way, sessionsEach, countEveryMs);
    const [drawbridge, seed] = await Promise.all([open("base"), open("by-seed")]);
    const sessions = { drawbridge, seed };
    later(() => closeAll([...sessions.drawbridge, ...sessions.seed]));
    progress(`${sessionsEach} sessions open by each gateway`);
    const began = Date.now();
    for (let round = 1; round <= rounds; round++) {
      containers = declaredIn(round, keys);
      await changeSeedFilters(round);
      await stack.up();
      progress(`${round * 10} of ${rounds * 10} containers changed`);
    }
    await wait(drainSeconds + 5);

    const recorder = new Recorder();
    for (const [rival, opened] of Object.entries(sessions)) {
      const ends = opened.flatMap(({ endedAt }) => (endedAt === undefined ? [] : [endedAt]));
      recorder.add(rival, "lost", opened.filter(({ alive, unbroken }) => !(alive && unbroken)).length);
      if (ends.length > 0) recorder.add(rival, "first_loss", (Math.min(...ends) - began) / 1000);
    }
    return recorder.samples;
  });
}

export const survival: Scenario = {
  name: "survival",
  title: `of ${sessionsEach} sessions each, how many end while ${rounds * 10} other containers change, and when the first (one run)`,
  run,
};
