/**
 * The starter's CI as it ships, on the real cluster: the jobs of both vendors one after the other, each in the
 * environment of its own job and in no other. What a job `up` leaves in the state must be no change to a preview, which
 * has no kubeconfig.
 */
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { expectSuccess, kubectl, Laptop, podNames, run } from "../../scripts/lib/lab/lab.ts";
import { runWorkflow } from "../release/github-runner.fixture.ts";
import { runPipeline } from "../release/gitlab-runner.fixture.ts";
import { Place, passphrase } from "../release/place.fixture.ts";

const teamFile = "Pulumi.team-a.yaml";
let place: Place;
let laptop: Laptop;
let project: string;
let kubeconfig: string;

beforeAll(async () => {
  laptop = await Laptop.create("starter-ci");
  place = await Place.create(resolve("node_modules"));
  kubeconfig = await kubectl(["config", "view", "--raw", "--flatten"]);
  project = join(place.folder, "devs");
  const made = ["--generate-only", "--yes", "--name", "devs", "--dir", project];
  await place.pulumi(place.folder, "new", resolve("starter"), ...made);
  const edit = async (name: string, before: RegExp, after: string) => {
    const text = await readFile(join(project, name), "utf8");
    expect(text).toMatch(before);
    await place.takeOver(project, { [name]: text.replace(before, after) });
  };
  await edit("Pulumi.platform.yaml", /ssh-ed25519 [^\]]*/, laptop.publicKey);
  await edit("Pulumi.platform.yaml", /( +)domain:/, "$1replicas: 1\n$1drainSeconds: 5\n$1domain:");
  const small = 'resources: { requests: { cpu: "100m" } }';
  await edit(teamFile, /( +)image: .*/, `$1image: ${imageRef("devcontainer")}\n$1${small}`);
  for (const stack of ["platform", "team-a"]) await place.pulumi(project, "stack", "init", stack);
  const seed = ["--secret", "drawbridge:hostKeySeed", "only-for-tests-0123456789abcdef0123456789abcdef"];
  await place.pulumi(project, "config", "set", "--stack", "team-a", ...seed);
  await place.push(project, "main");
});

afterAll(async () => {
  // From the laptop of a maintainer, who has a kubeconfig.
  const options = {
    cwd: project,
    env: { PULUMI_BACKEND_URL: place.backend, PULUMI_CONFIG_PASSPHRASE: passphrase },
    timeoutSeconds: 900,
  };
  await run("ln", ["-sf", resolve("node_modules"), join(project, "node_modules")]);
  const pulumi = join(place.folder, "release/pulumi/pulumi");
  const path = `${join(place.folder, "release/pulumi")}:${process.env.PATH}`;
  for (const stack of ["team-a", "platform"]) {
    const args = ["destroy", "--stack", stack, "--yes", "--non-interactive"];
    await run(pulumi, args, { ...options, env: { ...options.env, PATH: path } });
  }
  await kubectl(["delete", "namespace", "team-a", "ssh-ingress", "--ignore-not-found", "--wait=false"]);
  await Promise.all([laptop.remove(), place.remove()]);
});

interface Ended {
  /** Exit codes of the jobs that ran. */
  readonly codes: Readonly<Record<string, number>>;
  readonly log: string;
  readonly comment: string;
}

interface Vendor {
  /** The pipeline of a push to main. */
  up(): Promise<Ended>;
  /** Those of a pull request, with all that maintainers have to do for it. */
  pull(head: string): Promise<Ended>;
}

const state = () => ({ PULUMI_BACKEND_URL: place.backend, PULUMI_CONFIG_PASSPHRASE: passphrase });

async function ended(
  results: Record<string, { code: number; log: string; result?: string }>,
): Promise<Ended> {
  const ran = Object.entries(results).filter(([, { result }]) => result !== "skipped");
  return {
    codes: Object.fromEntries(ran.map(([name, { code }]) => [name, code])),
    log: ran.map(([, { log }]) => log).join(""),
    comment: existsSync(place.comment) ? await readFile(place.comment, "utf8") : "",
  };
}

const github: Vendor = {
  up: async () => gitHub({ event_name: "push", sha: await place.hash("main") }),
  pull: (head) =>
    gitHub({
      event_name: "pull_request_target",
      repository: "team/devs",
      "event.pull_request.head.repo.full_name": "team/devs",
      "event.pull_request.head.sha": head,
      "event.pull_request.html_url": "https://github.com/team/devs/pull/7",
      "event.number": "7",
    }),
};

async function gitHub(event: Record<string, string>): Promise<Ended> {
  await rm(place.comment, { force: true });
  const secrets = { PULUMI_CONFIG_PASSPHRASE: passphrase };
  const text = await readFile("starter/.github/workflows/drawbridge.yml", "utf8");
  const results = await runWorkflow(text, place, {
    github: event,
    vars: { PULUMI_BACKEND_URL: place.backend },
    secrets: {
      preview: secrets,
      "preview-code": secrets,
      production: { ...secrets, KUBECONFIG: kubeconfig },
    },
  });
  return ended(results);
}

const gitlab: Vendor = {
  up: async () =>
    gitLab({ CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", CI_COMMIT_SHA: await place.hash("main") }),
  async pull(head) {
    const request = {
      CI_PIPELINE_SOURCE: "merge_request_event",
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
      CI_MERGE_REQUEST_LABELS: "",
      CI_MERGE_REQUEST_IID: "7",
      CI_COMMIT_SHA: head,
      CI_API_V4_URL: "https://gitlab.example.com/api/v4",
      CI_PROJECT_ID: "1",
    };
    const first = await gitLab(request);
    return first.log.includes("kind=code")
      ? gitLab({ ...request, CI_MERGE_REQUEST_LABELS: "preview-code" }, ["preview-code"])
      : first;
  },
};

async function gitLab(variables: Record<string, string>, started: readonly string[] = []): Promise<Ended> {
  await rm(place.comment, { force: true });
  // A variable of type file is a path, in a folder of that job.
  const file = join(place.folder, `${Date.now()}.tmp`);
  await place.takeOver(file, { KUBECONFIG: kubeconfig });
  const results = await runPipeline(await readFile("starter/gitlab.yml", "utf8"), place, {
    variables: { CI_DEFAULT_BRANCH: "main", ...variables },
    scoped: {
      preview: state(),
      "preview-code": state(),
      production: { ...state(), KUBECONFIG: join(file, "KUBECONFIG") },
      comment: { COMMENT_TOKEN: "only-for-tests" },
    },
    started,
  });
  return ended(results);
}

const container = /^( +)dev1: .*$/m;
const statement = "**A statement, no proof.**";

describe.each([
  ["GitHub", github],
  ["GitLab", gitlab],
])("%s", (name, vendor) => {
  const branch = (what: string) => `${name}-${what}`;
  const pull = async (what: string, file: string, edit: (text: string) => string) =>
    vendor.pull(await place.change(branch(what), { [file]: edit }));
  const headings = ({ comment }: Ended) => comment.match(/^## drawbridge: .*$/gm);

  it("brings the stacks up", async () => {
    const { codes, log } = await vendor.up();
    expect({ codes, log }).toMatchObject({ codes: { up: 0 } });
    expect(await podNames("team-a", "app.kubernetes.io/instance=dev1")).toEqual(["dev1-0"]);
  });

  it("finds nothing in a pull request that changes nothing", async () => {
    const done = await pull("nothing", teamFile, (text) => `# The same.\n${text}`);
    expect(done.codes).toEqual({ preview: 0, verdict: 0 });
    expect(headings(done)).toEqual(Array(2).fill("## drawbridge: nothing dangerous"));
  });

  it("passes an everyday change of a stack file", async () => {
    const done = await pull("daily", teamFile, (text) =>
      text.replace(container, "$1dev1: { people: [alice], env: { EDITOR: vim } }"),
    );
    expect(done.codes).toEqual({ preview: 0, verdict: 0 });
    expect(done.comment).toContain("vim");
    expect(done.comment).not.toContain(statement);
  });

  it("passes a change of the program, once a maintainer has read it", async () => {
    const done = await pull("program", "index.ts", (text) => `${text}// A comment.\n`);
    expect(Object.values(done.codes).every((code) => code === 0)).toBe(true);
    expect(Object.keys(done.codes)).toContain("preview-code");
    expect(done.comment).toContain(statement);
    expect(headings(done)).toEqual(Array(2).fill("## drawbridge: nothing dangerous"));
  });

  it("refuses a dangerous change", async () => {
    const done = await pull("dangerous", teamFile, (text) =>
      text.replace(container, "$1dev1: { people: [alice], egress: { allow: [{ cidr: 10.0.0.0/8 }] } }"),
    );
    expect(done.codes).toEqual({ preview: 1, verdict: 1 });
    expect(done.comment).toContain("**network-wall**");
    expect(done.comment).not.toContain("provider-changed");
  });

  it("refuses a program that goes to another cluster", async () => {
    const elsewhere = `import * as k8s from "@pulumi/kubernetes";
import { program } from "@drawbridge-iac/drawbridge/stacks";

export default () => {
  new k8s.Provider("elsewhere", { context: "another" });
  return program();
};
`;
    const done = await pull("elsewhere", "index.ts", () => elsewhere);
    expect(done.codes).toMatchObject({ "preview-code": 1, verdict: 1 });
    expect(done.comment).toContain("**provider-changed**");
  });
});

it("finds nothing after a maintainer's laptop brought a stack up", async () => {
  await place.takeOver(join(place.folder, "laptop"), { config: kubeconfig });
  await run("ln", ["-s", resolve("node_modules"), join(project, "node_modules")]);
  const up = place.shell("pulumi up --stack team-a --yes --non-interactive", project, {
    ...state(),
    HOME: place.folder,
    PATH: `${join(place.folder, "release/pulumi")}:${place.path}`,
    KUBECONFIG: join(place.folder, "laptop", "config"),
  });
  await expectSuccess(up);
  const done = await github.pull(
    await place.change("laptop", { [teamFile]: (text) => `# Still the same.\n${text}` }),
  );
  expect(done.codes).toEqual({ preview: 0, verdict: 0 });
});
