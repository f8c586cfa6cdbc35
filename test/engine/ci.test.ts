/** The recipes for CI: their scripts run with a pulumi that prints what a real one printed, their YAML is well-formed. */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { run } from "../support/lab.ts";

const root = process.cwd();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-ci-"));
  await program(
    "npx",
    `shift 2; exec "${process.execPath}" --conditions=@drawbridge/source "${root}/packages/preview-guard/src/main.ts" "$@"`,
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Puts a shell script on the PATH. */
async function program(name: string, text: string): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
}

async function script(name: string, args: readonly string[], env: Record<string, string> = {}) {
  const path = { PATH: `${folder}:${process.env.PATH}` };
  const command = `cd "${folder}" && sh "${root}/examples/ci/${name}" ${args.join(" ")}`;
  return run("sh", ["-c", command], { env: { ...path, ...env } });
}

const claim = "kubernetes:core/v1:PersistentVolumeClaim";
const steps = (op: string) => {
  const urn = `urn:pulumi:team-a::drawbridge::${claim}::dev1-home`;
  return JSON.stringify({ steps: [{ op, urn, oldState: { type: claim, urn, inputs: {} } }] });
};

describe("preview.sh", () => {
  const preview = `case "$*" in *team-a*) printf '%s' '${steps("delete")}' ;; *) printf '%s' '${steps("same")}' ;; esac`;

  it("ends with 0 and a report when all stacks may go on", async () => {
    await program("pulumi", preview);
    const { code } = await script("preview.sh", ["platform"]);
    expect({ code, report: await readFile(join(folder, "report.md"), "utf8") }).toEqual({
      code: 0,
      report: "# platform\n\n## drawbridge: nothing dangerous\n\nNo change.\n",
    });
  });

  it("ends with 1 when one stack is refused, and reports them all", async () => {
    await program("pulumi", preview);
    const { code } = await script("preview.sh", ["platform", "team-a", "team-gpu"]);
    const report = await readFile(join(folder, "report.md"), "utf8");
    expect(code).toBe(1);
    expect(report.match(/^#+ .*$/gm)).toEqual([
      "# platform",
      "## drawbridge: nothing dangerous",
      "# team-a",
      "## drawbridge: refused",
      "### Refused",
      "### other resources",
      "# team-gpu",
      "## drawbridge: nothing dangerous",
    ]);
  });

  it("lets through what is accepted until a day to come", async () => {
    await program("pulumi", preview);
    const soon = new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 10);
    expect((await script("preview.sh", ["team-a"], { GUARD_ALLOW: `volume-lost:${soon}` })).code).toBe(0);
  });

  it("ends with 2 and says so when Pulumi fails", async () => {
    await program("pulumi", "echo 'error: no stack named team-a' >&2; exit 255");
    expect((await script("preview.sh", ["team-a"])).code).toBe(2);
    expect(await readFile(join(folder, "report.md"), "utf8")).toContain("The preview failed: ");
  });
});

describe("preview.sh without a stack", () => {
  it("ends with 2 and makes no report", async () => {
    const { code, stderr } = await script("preview.sh", []);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "preview.sh: give the names of one or more stacks\n",
    });
  });
});

/** Puts a project with the scripts into the folder, and programs that only write down how they were called. */
async function project(): Promise<() => Promise<string[]>> {
  await program("pulumi", `echo "pulumi $*" >>"${folder}/calls"`);
  await program("kubectl", `echo "kubectl $*" >>"${folder}/calls"`);
  const copy = `mkdir -p stacks ci && cp ${root}/stacks/Pulumi.*.yaml stacks/ && cp ${root}/examples/ci/*.sh ci/`;
  await run("sh", ["-c", copy], { cwd: folder });
  return async () => (await readFile(join(folder, "calls"), "utf8")).trim().split("\n");
}

const made = [
  "pulumi stack select --create pr-7",
  "pulumi config set --stack pr-7 --path drawbridge:team.namespace pr-7",
];
const up = [...made, "pulumi up --stack pr-7 --yes --non-interactive"];
const down = [
  ...made,
  "pulumi destroy --stack pr-7 --yes --non-interactive --remove",
  "kubectl delete namespace pr-7 --ignore-not-found",
];

describe("review.sh", () => {
  it("makes a stack like the team's and removes it with its namespace", async () => {
    const calls = await project();
    for (const action of ["up", "down"]) {
      expect((await script("review.sh", [action, "7", "team-a"])).code).toBe(0);
    }
    expect(await calls()).toEqual([...up, ...down]);
  });

  it.each([
    [["upp", "7", "team-a"], 'review.sh: "upp" is neither up nor down\n'],
    [
      ["up", "7", "team-z"],
      "review.sh: give a number and a team's stack; there is no stacks/Pulumi.team-z.yaml\n",
    ],
  ])("ends with 2 on %j", async (args, reason) => {
    await project();
    const { code, stderr } = await script("review.sh", args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: reason });
  });
});

interface Workflow {
  readonly env: { readonly STACKS?: string };
  readonly jobs: Record<string, { readonly if: string; readonly steps: { run?: string }[] }>;
}

interface Pipeline {
  readonly variables: { readonly STACKS: string; readonly TEAM: string };
  readonly [job: string]: { readonly script?: string[] } & Record<string, unknown>;
}

async function recipe<T>(name: string): Promise<T> {
  return parse(await readFile(join(root, "examples/ci", name), "utf8")) as T;
}

/** Runs the commands of a job as its runner would, in a project with programs that write down their calls. */
async function job(commands: string, env: Record<string, string>): Promise<string[]> {
  const calls = await project();
  const path = { PATH: `${folder}:${process.env.PATH}`, RUNNER_TEMP: folder };
  const { code, stderr } = await run("sh", ["-e", "-c", commands], { cwd: folder, env: { ...path, ...env } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return calls();
}

const stacks = ["platform", "team-a", "team-gpu"];
const ups = stacks.map((stack) => `pulumi up --stack ${stack} --yes --non-interactive`);
const lastRun = (workflow: Workflow, name: string) =>
  workflow.jobs[name]?.steps.findLast((step) => step.run !== undefined)?.run ?? "";

describe("github.yml", () => {
  it("previews the stacks that ship with the script, and brings them up on the main branch", async () => {
    const workflow = await recipe<Workflow>("github.yml");
    expect(workflow.env.STACKS).toBe(stacks.join(" "));
    const runs = workflow.jobs.preview?.steps.flatMap(({ run }) => run ?? []);
    expect(runs).toContain("sh ci/preview.sh $STACKS");
    const env = { STACKS: stacks.join(" "), KUBECONFIG_TEXT: "text" };
    expect(await job(lastRun(workflow, "up"), env)).toEqual(ups);
    expect(await readFile(join(folder, "kubeconfig"), "utf8")).toBe("text");
  });
});

describe("github-review.yml", () => {
  it("makes a review stack and removes it, never for a fork", async () => {
    const workflow = await recipe<Workflow>("github-review.yml");
    expect(workflow.jobs.review?.if).toBe(
      "github.event.pull_request.head.repo.full_name == github.repository",
    );
    const commands = lastRun(workflow, "review");
    const env = { KUBECONFIG_TEXT: "text", NUMBER: "7", TEAM: "team-a" };
    expect(await job(commands, { ...env, ACTION: "up" })).toEqual(up);
    expect(await job(commands, { ...env, ACTION: "down" })).toEqual([...up, ...down]);
  });
});

describe("gitlab.yml", () => {
  it("previews, brings up, and has review stacks with their removal", async () => {
    const pipeline = await recipe<Pipeline>("gitlab.yml");
    const env = { STACKS: stacks.join(" "), TEAM: "team-a", CI_MERGE_REQUEST_IID: "7" };
    expect(pipeline.variables).toEqual({ STACKS: env.STACKS, TEAM: env.TEAM });
    const commands = (name: string) => pipeline[name]?.script?.join("\n") ?? "";
    expect(commands("preview")).toBe("sh ci/preview.sh $STACKS");
    expect(await job(commands("up"), env)).toEqual(ups);
    expect(await job(commands("review"), env)).toEqual([...ups, ...up]);
    expect(await job(commands("review-stop"), env)).toEqual([...ups, ...up, ...down]);
    expect(pipeline.review).toMatchObject({ environment: { on_stop: "review-stop" } });
  });
});
