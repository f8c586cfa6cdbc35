/** What Pulumi takes for N containers: components beside the same objects written as plain resources. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { pulumiTools } from "../../../packages/lab/src/pulumi.ts";
import { noCluster } from "../../support/engine.ts";
import { kubectl, run as runProgram } from "../../support/lab.ts";
import { type Removal, withCleanup } from "../cleanup.ts";
import { type Job, team, type Writing } from "../preview/job.ts";
import { type Measured, measure, rawTemplate } from "../preview/measure.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { Recorder } from "../support/samples.ts";
import { removeNamespaces } from "../support/stack.ts";

/** A rival: how the containers are written, and the provider's client limits. */
interface Rival {
  readonly name: string;
  readonly writing: Writing;
  readonly raisedLimits: boolean;
}

const ours: Rival = { name: "drawbridge", writing: "components", raisedLimits: true };
const raw: Rival = { name: "raw", writing: "raw", raisedLimits: false };
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
] as const;
/** How many are made and removed, once each. */
const made = [1, 100] as const;
const fullMade = [...made, 300] as const;
/**
 * The file backend writes the whole state before and after each resource: with a thousand of them that is most of the
 * time, and none of what is compared. So it is written at the end alone.
 */
const writtenOnce = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
/** Without a cluster, as CI previews. */
const offline = [
  { count: 100, runs: 3 },
  { count: 300, runs: 1 },
] as const;
const fullOffline = [...offline, { count: 1000, runs: 1 }] as const;

/** Objects of one container, and what stands beside them: the component, the stack, a provider with limits. */
function resources({ writing, raisedLimits }: Rival, count: number): number {
  return count * (writing === "raw" ? 9 : 10) + (raisedLimits ? 2 : 1);
}

class Comparison {
  readonly recorder = new Recorder();
  readonly #folder: string;
  readonly #cli: Job["cli"];
  readonly #progress: (line: string) => void;

  constructor(folder: string, cli: Job["cli"], progress: (line: string) => void) {
    this.#folder = folder;
    this.#cli = cli;
    this.#progress = progress;
  }

  /** @param state one of the folder's own by default: nothing exists as far as Pulumi knows */
  measure(rival: Rival, count: number, operation: Job["operation"], state: string, env = {}) {
    const job: Job = {
      writing: rival.writing,
      raisedLimits: rival.raisedLimits,
      count,
      operation,
      template: join(this.#folder, "template.json"),
      backend: join(this.#folder, state),
      cli: { root: this.#cli.root, env: { ...this.#cli.env, ...env } },
    };
    return measure(job, resources(rival, count));
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
        const measured = await this.measure(rival, count, "preview", "nothing", env);
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
      this.record(rival, `${what}_${count}`, await this.measure(rival, count, operation, state, writtenOnce));
    }
  }
}

/** An empty namespace, without what an earlier rival retained. */
async function freshNamespace(): Promise<void> {
  await kubectl(["delete", "namespace", team, "--ignore-not-found"]);
  await kubectl(["create", "namespace", team]);
}

/** A folder with the raw objects and an empty backend each; packages compiled as they are published. */
async function prepare(later: (removal: Removal) => void): Promise<string> {
  const built = await runProgram(process.execPath, ["scripts/build.ts", "manifests", "components"], {
    timeoutSeconds: 600,
  });
  if (built.code !== 0) throw new Error(`the packages do not compile: ${built.stdout}${built.stderr}`);
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-bench-"));
  later(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "template.json"), await rawTemplate());
  return folder;
}

async function run(progress: (line: string) => void, full: boolean): Promise<Samples> {
  return withCleanup(async (later) => {
    const { command, env } = await pulumiTools(silentProgress);
    const root = isAbsolute(command.command) ? dirname(dirname(command.command)) : undefined;
    const comparison = new Comparison(await prepare(later), { root, env }, progress);
    later(() => removeNamespaces([team]));
    await freshNamespace();
    // The first one also fills the file cache.
    for (const rival of [ours, raw]) await comparison.measure(rival, 1, "preview", "nothing");
    for (const { count, runs, rivals } of previewed) await comparison.previews(count, runs, rivals);
    for (const { count, runs } of full ? fullOffline : offline) {
      await comparison.previews(count, runs, [ours, raw], "offline", noCluster);
    }
    for (const count of full ? fullMade : made) {
      for (const rival of [ours, raw]) {
        await freshNamespace();
        await comparison.life(count, rival);
      }
    }
    return comparison.recorder.samples;
  });
}

export const preview: Scenario = {
  name: "preview",
  title:
    "Pulumi on 1, 10, 100 and 300 containers (--full: 1000): components with our stacks' client limits, and the same objects as plain resources with the provider's; 5 previews of 1, 3 of 10 and of 100, all else once",
  run,
};
