/** GitHub's runner, for workflows of this project: jobs in the order of their needs, steps with the real shell. */
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { evaluate } from "./expression.fixture.ts";
import type { Place } from "./place.fixture.ts";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly environment?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface JobResult {
  readonly result: "success" | "failure" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
  /** Exit code of the last step that ran. */
  readonly code: number;
  /** What the steps printed. */
  readonly log: string;
}

export interface Occasion {
  /** What `github.…` names are, for example `event.pull_request.head.sha`. */
  readonly github: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  /** The secrets of each environment; a job without one has none. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Environments whose reviewers said no, or nothing. */
  readonly notApproved?: readonly string[];
}

export async function runWorkflow(
  text: string,
  place: Place,
  occasion: Occasion,
): Promise<Record<string, JobResult>> {
  const workflow = parse(text) as Workflow;
  const results: Record<string, JobResult> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const needs = [job.needs ?? []].flat();
    const lookup = names({ occasion, results, steps: {}, secrets: {}, env: {} });
    const wanted = job.if === undefined || evaluate(job.if, lookup) !== false;
    const ready =
      needs.every((need) => results[need]?.result === "success") || /always\(\)/.test(job.if ?? "");
    const nothing = { outputs: {}, code: 0, log: "" };
    if (!wanted || !ready) results[name] = { ...nothing, result: "skipped" };
    else if (occasion.notApproved?.includes(job.environment ?? "")) {
      results[name] = { ...nothing, result: "failure" };
    } else results[name] = await runJob(job, workflow.env ?? {}, place, occasion, results);
  }
  return results;
}

interface Known {
  readonly occasion: Occasion;
  readonly results: Readonly<Record<string, JobResult>>;
  readonly steps: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

/** What a name in an expression stands for. */
function names({ occasion, results, steps, secrets, env }: Known) {
  return (name: string): string | undefined => {
    const [context = "", ...path] = name.split(".");
    const key = path.join(".");
    if (context === "github") return occasion.github[key];
    if (context === "vars") return occasion.vars[key];
    if (context === "secrets") return secrets[key];
    if (context === "env") return env[key];
    const [of = "", , output = ""] = path;
    if (context === "needs") return results[of]?.outputs[output];
    if (context === "steps") return steps[of]?.[output];
    throw new Error(`nobody knows the context of ${name}`);
  };
}

async function runJob(
  job: Job,
  workflowEnv: Readonly<Record<string, string>>,
  place: Place,
  occasion: Occasion,
  results: Readonly<Record<string, JobResult>>,
): Promise<JobResult> {
  const folder = await mkdtemp(join(place.folder, "job-"));
  const [workspace, home, temp] = ["workspace", "home", "temp"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [workspace, home, temp]) await mkdir(each);
  const steps: Record<string, Record<string, string>> = {};
  const secrets = occasion.secrets[job.environment ?? ""] ?? {};
  let path = place.path;
  let env = workflowEnv;
  let log = "";
  let code = 0;
  for (const [index, step] of job.steps.entries()) {
    const lookup = names({ occasion, results, steps, secrets, env });
    const fill = (value: unknown) =>
      `${value}`.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => `${evaluate(expression, lookup)}`);
    if (code !== 0 || (step.if !== undefined && !evaluate(step.if, lookup))) continue;
    if (step.uses !== undefined) {
      const [action] = step.uses.split("@");
      if (action === "actions/checkout")
        await place.checkOut(workspace, fill(step.with?.ref ?? occasion.github.sha));
      else if (action !== "actions/setup-node") throw new Error(`nothing stands in for ${action}`);
      continue;
    }
    const files = {
      GITHUB_OUTPUT: join(temp, `output-${index}`),
      GITHUB_PATH: join(temp, `path-${index}`),
      GITHUB_ENV: join(temp, `env-${index}`),
    };
    for (const file of Object.values(files)) await writeFile(file, "");
    const filled = Object.fromEntries(
      Object.entries({ ...env, ...step.env }).map(([name, value]) => [name, fill(value)]),
    );
    const outcome = await place.shell(fill(step.run), workspace, {
      ...filled,
      ...files,
      HOME: home,
      RUNNER_TEMP: temp,
      PATH: path,
    });
    log += outcome.stdout + outcome.stderr;
    code = outcome.code;
    if (step.id !== undefined) steps[step.id] = readOutputs(await readFile(files.GITHUB_OUTPUT, "utf8"));
    const added = (await readFile(files.GITHUB_PATH, "utf8")).split("\n").filter((line) => line !== "");
    path = [...added.toReversed(), path].join(":");
    env = { ...env, ...readOutputs(await readFile(files.GITHUB_ENV, "utf8")) };
  }
  const lookup = names({ occasion, results, steps, secrets, env });
  const outputs = Object.fromEntries(
    Object.entries(job.outputs ?? {}).map(([name, value]) => [
      name,
      `${evaluate(value.replace(/^\$\{\{|\}\}$/g, ""), lookup)}`,
    ]),
  );
  return { result: code === 0 ? "success" : "failure", outputs, code, log };
}

/** `name=value` lines, and values of several lines between a delimiter. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, name = "", end] = /^([\w-]+)<<(.*)$/.exec(line) ?? [];
    if (end !== undefined) {
      const length = lines.indexOf(end);
      outputs[name] = lines
        .splice(0, length + 1)
        .slice(0, -1)
        .join("\n");
    } else if (line.includes("=")) {
      outputs[line.slice(0, line.indexOf("="))] = line.slice(line.indexOf("=") + 1);
    } else if (line !== "") throw new Error(`"${line}" is no output`);
  }
  return outputs;
}
