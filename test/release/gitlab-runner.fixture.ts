/** GitLab's runner, for pipelines of this project: the rules of a job, its script in one shell, its artifacts. */
import { cp, lstat, mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { evaluate } from "./expression.fixture.ts";
import type { Place } from "./place.fixture.ts";

interface Rule {
  readonly if: string;
  readonly when?: "manual" | "always";
  readonly allow_failure?: boolean;
}

interface Job {
  readonly rules?: readonly Rule[];
  readonly environment?: { readonly name: string };
  readonly script: readonly unknown[];
  readonly artifacts?: { readonly paths: readonly string[] };
}

export interface Pipeline {
  readonly variables: Readonly<Record<string, string>>;
  readonly workflow: { readonly rules: readonly Rule[] };
  readonly default?: unknown;
  readonly [job: string]: unknown;
}

export interface Occasion {
  /** GitLab's own variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** The project's variables for each environment; a job without one has none. */
  readonly scoped: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Manual jobs that a person with the right to has started. */
  readonly started?: readonly string[];
}

export interface JobResult {
  readonly code: number;
  readonly log: string;
}

/** Runs the jobs whose rules match, one after another; a manual job only if it was started. */
export async function runPipeline(
  text: string,
  place: Place,
  occasion: Occasion,
): Promise<Record<string, JobResult>> {
  const { default: _, workflow, variables: own, ...jobs } = parse(text) as Pipeline;
  const variables = { ...own, ...occasion.variables };
  const matching = (rules: readonly Rule[]) =>
    rules.find((rule) => evaluate(rule.if, (name) => variables[name]) === true);
  const results: Record<string, JobResult> = {};
  if (matching(workflow.rules) === undefined) return results;
  const artifacts = await mkdtemp(join(place.folder, "artifacts-"));
  for (const [name, job] of Object.entries(jobs as Record<string, Job>)) {
    // Such an entry is a part that jobs share, and no job.
    if (name.startsWith(".")) continue;
    const rule = matching(job.rules ?? []);
    if (rule === undefined) continue;
    if (rule.when === "manual" && !occasion.started?.includes(name)) {
      // A manual job that may fail holds up no other. After any other one, the pipeline waits.
      if (rule.allow_failure) continue;
      break;
    }
    const failedBefore = Object.values(results).some(({ code }) => code !== 0);
    if (failedBefore && rule.when !== "always") continue;
    results[name] = await runJob(job, place, artifacts, {
      ...variables,
      ...occasion.scoped[job.environment?.name ?? ""],
    });
  }
  return results;
}

async function runJob(
  job: Job,
  place: Place,
  artifacts: string,
  variables: Readonly<Record<string, string>>,
): Promise<JobResult> {
  const folder = await mkdtemp(join(place.folder, "job-"));
  const [workspace, home] = [join(folder, "workspace"), join(folder, "home")];
  for (const each of [workspace, home]) await mkdir(each);
  await place.checkOut(workspace, variables.CI_COMMIT_SHA ?? "");
  await cp(artifacts, workspace, { recursive: true, verbatimSymlinks: true });
  const script = job.script.flat(10).join("\n");
  const outcome = await place.shell(script, workspace, { ...variables, HOME: home, PATH: place.path });
  for (const path of job.artifacts?.paths ?? []) {
    const exists = await lstat(join(workspace, path)).catch(() => undefined);
    if (exists !== undefined)
      await cp(join(workspace, path), join(artifacts, path), { verbatimSymlinks: true });
  }
  return { code: outcome.code, log: outcome.stdout + outcome.stderr };
}
