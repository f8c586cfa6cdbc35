/** What the scenarios of Pulumi share: who competes, and where they work. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { pulumiTools } from "../../../packages/lab/src/pulumi.ts";
import { kubectl, run } from "../../../scripts/lib/lab/lab.ts";
import type { Removal } from "../cleanup.ts";
import { wait } from "../support/samples.ts";
import { removeNamespaces } from "../support/stack.ts";
import { type Job, placeholder, team, type Writing } from "./job.ts";
import { type Measured, measure, rawTemplate } from "./measure.ts";
import type { Template } from "./raw.ts";

/** A rival: how the containers are written, and the provider's client limits. */
export interface Rival {
  readonly name: string;
  readonly writing: Writing;
  readonly raisedLimits: boolean;
  /** As many objects, each a ConfigMap of nothing: what Pulumi itself takes for so many. */
  readonly empty?: boolean;
}

export const ours: Rival = { name: "drawbridge", writing: "components", raisedLimits: true };
export const raw: Rival = { name: "raw", writing: "raw", raisedLimits: false };

/**
 * The file backend writes the whole state before and after each resource: with a thousand of them that is most of the
 * time, and none of what is compared. So it is written at the end alone.
 */
export const writtenOnce = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** How long the API server looks a namespace up at each request after it was deleted, which the next rival would pay. */
const secondsOfDoubt = 30;

/** Objects of one container, and what stands beside them: the component, the stack, a provider with limits. */
function resources({ writing, raisedLimits }: Rival, count: number): number {
  return count * (writing === "raw" ? 9 : 10) + (raisedLimits ? 2 : 1);
}

/** What is measured of a rival; by default the operation is about new containers from the first one on. */
export type Task = Pick<Job, "count" | "operation"> & {
  readonly first?: number;
  /** Name of a stack of its own. */
  readonly state: string;
  /** What the command finds in its environment besides. */
  readonly env?: Readonly<Record<string, string>>;
};

function emptied(template: string): string {
  const read = JSON.parse(template) as Template;
  const objects = read.objects.map(({ suffix }) => {
    const object = { metadata: { name: `${placeholder}-${suffix}` } };
    return { type: "kubernetes:core/v1:ConfigMap", suffix, object };
  });
  return JSON.stringify({ ...read, objects } satisfies Template);
}

/** Where the rivals work: packages compiled as they are published, the raw objects, a folder of backends, a namespace. */
export class Workplace {
  readonly #folder: string;
  readonly #cli: Job["cli"];

  private constructor(folder: string, cli: Job["cli"]) {
    this.#folder = folder;
    this.#cli = cli;
  }

  static async prepare(later: (removal: Removal) => void): Promise<Workplace> {
    const built = await run(process.execPath, ["scripts/build.ts", "components"], { timeoutSeconds: 600 });
    if (built.code !== 0) throw new Error(`the packages do not compile: ${built.stdout}${built.stderr}`);
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-bench-"));
    later(() => rm(folder, { recursive: true, force: true }));
    const template = await rawTemplate();
    await writeFile(join(folder, "template.json"), template);
    await writeFile(join(folder, "empty.json"), emptied(template));
    const { command, env } = await pulumiTools(silentProgress);
    const root = isAbsolute(command.command) ? dirname(dirname(command.command)) : undefined;
    later(() => removeNamespaces([team]));
    return new Workplace(folder, { root, env });
  }

  /** Has an empty namespace again, without what a rival retained. */
  async clear(): Promise<void> {
    const forgotten = wait(secondsOfDoubt);
    const deleted = await kubectl(["delete", "namespace", team, "--ignore-not-found"]);
    if (deleted !== "") await forgotten;
    await kubectl(["create", "namespace", team]);
  }

  measure(rival: Rival, { count, first = 0, operation, state, env = {} }: Task): Promise<Measured> {
    const job: Job = {
      writing: rival.writing,
      raisedLimits: rival.raisedLimits,
      count,
      first,
      operation,
      template: join(this.#folder, rival.empty ? "empty.json" : "template.json"),
      backend: join(this.#folder, state),
      cli: { root: this.#cli.root, env: { ...this.#cli.env, ...env } },
    };
    return measure(job, resources(rival, count));
  }
}
