/** The recipe for GitHub in a fresh clone: its own commands, with the real npm, git, Pulumi and guard. */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/lab/lab.ts";
import { type JobResult, type Occasion, runWorkflow } from "./github-runner.fixture.ts";
import { cloneOfThis, Place, passphrase } from "./place.fixture.ts";

const teamFile = "stacks/Pulumi.team-a.yaml";
const workflowFile = ".github/workflows/drawbridge.yml";
let place: Place;

beforeAll(async () => {
  place = await Place.create();
  const folder = join(place.folder, "team");
  await cloneOfThis(folder);
  const workflow = await readFile("starter/.github/workflows/drawbridge.yml", "utf8");
  await place.takeOver(folder, { [workflowFile]: workflow.replace(/^ {2}STACKS: .*$/m, "  STACKS: team-a") });
  await place.pulumi(folder, "stack", "init", "team-a");
  const seed = "only-for-tests-0123456789abcdef0123456789abcdef";
  await place.pulumi(
    folder,
    "config",
    "set",
    "--stack",
    "team-a",
    "--secret",
    "drawbridge:hostKeySeed",
    seed,
  );
  // The claim of a storage has no name before it is there, which the guard would not judge.
  const file = join(folder, teamFile);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/^ +mounts:\n +- \{storage: models.*\n/m, ""));
  await place.push(folder, "main");
}, 900_000);
afterAll(() => place.remove());

interface Run {
  readonly jobs: Record<string, JobResult>;
  readonly comment: string;
}

/** What GitHub does when a pull request with this commit is opened: the workflow is the target branch's. */
async function pullRequest(
  head: string,
  { notApproved = [], github = {}, vars = {} }: Partial<Occasion> = {},
): Promise<Run> {
  const text = await must("git", ["-C", place.origin, "show", `main:${workflowFile}`]);
  await run("rm", ["-f", place.comment]);
  const secrets = { PULUMI_CONFIG_PASSPHRASE: passphrase };
  const jobs = await runWorkflow(text, place, {
    github: {
      event_name: "pull_request_target",
      repository: "team/devs",
      "event.pull_request.head.repo.full_name": "team/devs",
      "event.pull_request.head.sha": head,
      "event.pull_request.html_url": "https://github.com/team/devs/pull/7",
      "event.number": "7",
      ...github,
    },
    vars: { PULUMI_BACKEND_URL: place.backend, ...vars },
    secrets: { preview: secrets, "preview-code": secrets },
    notApproved,
  });
  return { jobs, comment: existsSync(place.comment) ? await readFile(place.comment, "utf8") : "" };
}

/** How each job that ran ended: a failure with its exit code. */
const outcomes = ({ jobs }: Run) =>
  Object.fromEntries(
    Object.entries(jobs).map(([name, { result, code }]) => [
      name,
      result === "failure" ? `failure ${code}` : result,
    ]),
  );
const ran = (done: Run) =>
  Object.entries(outcomes(done))
    .filter(([, outcome]) => outcome !== "skipped")
    .map((pair) => pair.join(": "));

const statement = "**A statement, no proof.**";
const notJudged =
  "**Not judged.** No preview of this pull request came to its end; the log of its job says why.\n";

describe("a pull request that changes stack files only", () => {
  it("passes with a daily edit, previewed by the target branch's program", async () => {
    const done = await pullRequest(
      await place.change("daily", {
        [teamFile]: (text) => text.replace("home: {size: 20Gi}", "home: {size: 40Gi}"),
      }),
    );
    expect(ran(done)).toEqual(["preview: success", "verdict: success"]);
    expect(done.comment).toMatch(/^# team-a\n/);
    expect(done.comment).toContain("storage: +60 GiB");
    expect(done.comment).not.toContain(statement);
  });

  it("fails with 1 when the guard refuses it, unless a maintainer accepted that", async () => {
    const head = await place.change("dangerous", {
      [teamFile]: (text) =>
        text.replace("    containers:\n", "      egress: {allow: [{cidr: 10.0.0.0/8}]}\n    containers:\n"),
    });
    const done = await pullRequest(head);
    expect(ran(done)).toEqual(["preview: failure 1", "verdict: failure 1"]);
    const refused = [...done.comment.matchAll(/^- \[\*\*([\w-]+)\*\*\]\(\S+\) (.*?): (.*)$/gm)];
    expect(refused.length).toBeGreaterThan(0);
    const until = new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 10);
    const accept = (findings: typeof refused) =>
      JSON.stringify(findings.map(([, rule, object, what]) => ({ rule, object, what, until })));
    const accepted = await pullRequest(head, { vars: { GUARD_ACCEPT: accept(refused) } });
    expect(ran(accepted)).toEqual(["preview: success", "verdict: success"]);
    expect(accepted.comment).toContain("10.0.0.0/8");
  });

  it("fails with 2 when the preview fails, with Pulumi's words in the comment", async () => {
    const done = await pullRequest(
      await place.change("faulty", {
        [teamFile]: (text) => text.replace("namespace: team-a\n", "namespace: Team_A\n"),
      }),
    );
    expect(ran(done)).toEqual(["preview: failure 2", "verdict: failure 2"]);
    expect(done.comment).toMatch(/namespace.*Team_A/);
  });
});

describe("a pull request that changes anything else", () => {
  /** A program that does its preview as before, scripts that judge nothing, and a stack file that is refused. */
  const edits = {
    "packages/drawbridge/src/stacks/program/index.ts": (text: string) =>
      `${text}\nconsole.error("the pull request's program ran");\n`,
    "ci/preview.sh": () => "echo all is well >report.md\n",
    [workflowFile]: () => "on: pull_request_target\njobs: {}\n",
    [teamFile]: (text: string) =>
      text.replace("    containers:\n", "      egress: {allow: [{cidr: 10.0.0.0/8}]}\n    containers:\n"),
  };
  let head: string;

  it("is not judged, and nothing of it runs, before somebody approved", async () => {
    head = await place.change("code", edits);
    const done = await pullRequest(head, { notApproved: ["preview-code"] });
    expect(ran(done)).toEqual(["preview: success", "preview-code: failure 0", "verdict: failure 2"]);
    expect(done.jobs.preview?.outputs).toMatchObject({ kind: "code", code: "", report: "" });
    expect(done.comment).toBe(`${notJudged}\n\n`);
    expect(Object.values(done.jobs).map(({ log }) => log)).not.toContain("program ran");
  });

  it("is told what it starts besides its program, before somebody approved", async () => {
    const plugins = "plugins:\n  analyzers:\n    - name: policy-nodejs\n      path: ./fake\n";
    const analyzer = await place.change("analyzer", { "Pulumi.yaml": (text) => `${text}${plugins}` });
    const done = await pullRequest(analyzer, { notApproved: ["preview-code"] });
    expect(ran(done)).toEqual(["preview: success", "preview-code: failure 0", "verdict: failure 2"]);
    expect(done.jobs.preview?.outputs).toMatchObject({ program: "1" });
    expect(done.comment).toContain(
      'plugins: none → {"analyzers":[{"name":"policy-nodejs","path":"./fake"}]}',
    );
  });

  it("gets a statement, no proof, once somebody has: here its own script says that all is well", async () => {
    const done = await pullRequest(head);
    expect(ran(done)).toEqual(["preview: success", "preview-code: success", "verdict: success"]);
    const files =
      ".github/workflows/drawbridge.yml, ci/preview.sh, packages/drawbridge/src/stacks/program/index.ts";
    expect(done.comment).toContain(
      `> ${statement} This pull request changes more than stack files: \`${files}\`.`,
    );
    expect(done.comment).toMatch(/\n\nall is well\n/);
  });

  it("is judged by its own preview otherwise, and 1 stays 1", async () => {
    const { "ci/preview.sh": _, ...rest } = edits;
    const done = await pullRequest(await place.change("code-dangerous", rest));
    expect(ran(done)).toEqual(["preview: success", "preview-code: failure 1", "verdict: failure 1"]);
    expect(done.comment).toContain(statement);
    expect(done.comment).toContain("10.0.0.0/8");
  });
});

describe("what else may not pass", () => {
  it("a fork: it gets no secret, and a verdict that it was not judged", async () => {
    const head = await place.change("fork", {
      [teamFile]: (text) => text.replace("home: {size: 20Gi}", "home: {size: 30Gi}"),
    });
    const done = await pullRequest(head, {
      github: { "event.pull_request.head.repo.full_name": "mallory/devs" },
    });
    expect(ran(done)).toEqual(["verdict: failure 2"]);
    expect(done.comment).toBe(`${notJudged}\n\n`);
  });

  it("a branch that conflicts: it ends with 2", async () => {
    const head = await place.change("conflict", {
      [teamFile]: (text) => text.replace("namespace: team-a\n", "namespace: team-c\n"),
    });
    const before = await place.hash("main");
    await place.change("main", {
      [teamFile]: (text) => text.replace("namespace: team-a\n", "namespace: team-b\n"),
    });
    const done = await pullRequest(head);
    await place.reset("main", before);
    expect(ran(done)).toEqual(["preview: failure 2", "verdict: failure 2"]);
    expect(done.jobs.preview?.log).toContain(
      "cannot be merged: it conflicts with the target branch; rebase it",
    );
    expect(done.comment).toBe(`${notJudged}\n\n`);
  });
});
