/** What Pulumi takes for N containers: components beside the same objects written as plain resources. */

import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { noCluster } from "../../../scripts/lib/engine/engine.ts";
import { withCleanup } from "../cleanup.ts";
import type { Measured } from "../preview/measure.ts";
import { ours, type Rival, raw, Workplace, writtenOnce } from "../preview/workplace.ts";
import { Recorder } from "../support/samples.ts";

/** Each as the other has its limits. */
const crossed: readonly Rival[] = [
  { name: "drawbridge with default limits", writing: "components", raisedLimits: false },
  { name: "raw with raised limits", writing: "raw", raisedLimits: true },
];

/** How many containers are previewed, how often, and by whom. Below 100, no limit is ever reached. */
const previewed = [
  { count: 1, runs: 5, rivals: [ours, raw] },
  { count: 10, runs: 3, rivals: [ours, raw] },
  { count: 100, runs: 3, rivals: [ours, raw] },
  { count: 100, runs: 1, rivals: crossed },
];
const empty: Rival = { name: "empty objects", writing: "raw", raisedLimits: false, empty: true };
/** Without a cluster, as CI previews. */
const offline = [
  { count: 100, runs: 3, rivals: [ours, raw, empty] },
  { count: 300, runs: 1, rivals: [ours, raw] },
];
/** How many are made and removed, once each. */
const made = [1, 100];
const usual = { previewed, offline, made };
const large: typeof usual = {
  previewed: [],
  offline: [{ count: 1000, runs: 1, rivals: [ours, raw] }],
  made: [300],
};

/** A stack of which Pulumi knows nothing. */
const nothing = "nothing";

class Comparison {
  readonly recorder = new Recorder();
  readonly #workplace: Workplace;
  readonly #progress: (line: string) => void;

  constructor(workplace: Workplace, progress: (line: string) => void) {
    this.#workplace = workplace;
    this.#progress = progress;
  }

  record(rival: Rival, what: string, measured: Measured): void {
    for (const figure of ["wall", "cpu", "memory"] as const) {
      this.recorder.add(rival.name, `${what}_${figure}`, measured[figure]);
    }
    this.#progress(`${what}, ${rival.name}: ${measured.wall.toFixed(1)} s`);
  }

  /** Previews of what does not exist yet. */
  async previews(count: number, runs: number, rivals: readonly Rival[], what = "preview", env = {}) {
    for (let turn = 0; turn < runs; turn++) {
      for (const rival of rivals) {
        const task = { count, operation: "preview", state: nothing, env } as const;
        const measured = await this.#workplace.measure(rival, task);
        this.record(rival, `${what}_${count}`, measured);
        if (count === 1) this.recorder.add(rival.name, "program_start", measured.start);
      }
    }
  }

  /** Makes the objects, previews that nothing changes, reads them all, and removes them again; once each. */
  async life(count: number, rival: Rival): Promise<void> {
    const state = `${rival.name}-${count}`;
    const steps = { up: "up", unchanged: "preview", refresh: "refresh", destroy: "destroy" } as const;
    for (const [what, operation] of Object.entries(steps)) {
      const task = { count, operation, state, env: writtenOnce };
      this.record(rival, `${what}_${count}`, await this.#workplace.measure(rival, task));
    }
  }
}

async function run(progress: (line: string) => void, full: boolean): Promise<Samples> {
  return withCleanup(async (later) => {
    const workplace = await Workplace.prepare(later);
    await workplace.clear();
    const comparison = new Comparison(workplace, progress);
    // The first one also fills the file cache.
    for (const rival of [ours, raw]) {
      await workplace.measure(rival, { count: 1, operation: "preview", state: nothing });
    }
    const { previewed, offline, made } = full ? large : usual;
    for (const { count, runs, rivals } of previewed) await comparison.previews(count, runs, rivals);
    for (const { count, runs, rivals } of offline) {
      await comparison.previews(count, runs, rivals, "offline", noCluster);
    }
    for (const count of made) {
      for (const rival of [ours, raw]) {
        await workplace.clear();
        await comparison.life(count, rival);
      }
    }
    return comparison.recorder.samples;
  });
}

export const preview: Scenario = {
  name: "preview",
  title:
    "Pulumi on 1, 10, 100 and 300 containers (--full: a life of 300, a preview of 1000): components with our stacks' client limits, and the same objects as plain resources with the provider's; 5 previews of 1, 3 of 10 and of 100, all else once",
  run: (progress) => run(progress, false),
  runFull: (progress) => run(progress, true),
};
