/** The recipe for GitLab in an outsider's project: its own commands, with the packages as npm installs them. */
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import { expectSuccess } from "../../scripts/lib/lab/lab.ts";
import { OutsiderProject } from "../support/release/outsider.ts";
import { type JobResult, runPipeline } from "./gitlab-runner.fixture.ts";
import { Place, passphrase } from "./place.fixture.ts";

const stackFile = "Pulumi.dev.yaml";
const commentToken = "glpat-only-for-tests";
const secrets: Readonly<Record<string, string>> = {
  hostKeySeed: "only-for-tests-0123456789abcdef0123456789abcdef",
  kubeconfig: unreachableKubeconfig,
};
let place: Place;
let pipeline: string;

beforeAll(async () => {
  place = await Place.create();
  const project = await OutsiderProject.create();
  const folder = join(place.folder, "team");
  await rm(join(project.folder, "node_modules"), { recursive: true });
  await cp(project.folder, folder, { recursive: true });
  await project.remove();
  const page = await readFile("docs/existing-code.md", "utf8");
  await place.takeOver(folder, {
    "index.ts": /^```ts\n(.*?)^```$/ms.exec(page)?.[1] ?? "",
    ".gitignore": "node_modules/\n",
    "Pulumi.yaml":
      "name: outsider\nmain: index.ts\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
    // The stack's file has a line that each test may change.
    [stackFile]: "config:\n  outsider:publicKey: >-\n    ssh-ed25519 KEY alice\n",
  });
  await place.pulumi(folder, "stack", "init", "dev");
  for (const [name, value] of Object.entries(secrets)) {
    await place.pulumi(folder, "config", "set", "--stack", "dev", "--secret", name, value);
  }
  await place.pulumi(folder, "config", "set", "--stack", "dev", "publicKey", keys.alice);
  await place.push(folder, "main");
  const text = await readFile("starter/gitlab.yml", "utf8");
  pipeline = text.replace(/^ {2}STACKS: .*$/m, "  STACKS: dev");
}, 1_800_000);
afterAll(() => place.remove());

const keys = {
  alice: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice",
  bob: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKkzzlQnKWawR4pXHa0rjkkfuFUFpHMawHAEWkaGe7q6 bob",
};

interface Run {
  readonly jobs: Record<string, JobResult>;
  /** Exit codes of the jobs that ran. */
  readonly codes: Record<string, number>;
  readonly comment: string;
}

/** A pipeline of the merge request with this commit. */
async function mergeRequest(head: string, labels = "", started: readonly string[] = []): Promise<Run> {
  await rm(place.comment, { force: true });
  const state = { PULUMI_BACKEND_URL: place.backend, PULUMI_CONFIG_PASSPHRASE: passphrase };
  const jobs = await runPipeline(pipeline, place, {
    variables: {
      CI_PIPELINE_SOURCE: "merge_request_event",
      CI_DEFAULT_BRANCH: "main",
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
      CI_MERGE_REQUEST_LABELS: labels,
      CI_MERGE_REQUEST_IID: "7",
      CI_COMMIT_SHA: head,
      CI_API_V4_URL: "https://gitlab.example.com/api/v4",
      CI_PROJECT_ID: "1",
    },
    scoped: { preview: state, "preview-code": state, comment: { COMMENT_TOKEN: commentToken } },
    started,
  });
  return {
    jobs,
    codes: Object.fromEntries(Object.entries(jobs).map(([name, { code }]) => [name, code])),
    comment: existsSync(place.comment) ? await readFile(place.comment, "utf8") : "",
  };
}

const statement = "**A statement, no proof.**";
const label = "devs,preview-code";

describe("a merge request that changes a stack file only", () => {
  it("passes with another key, previewed by the target branch's program", async () => {
    const head = await place.change("daily", { [stackFile]: (text) => text.replace(keys.alice, keys.bob) });
    const done = await mergeRequest(head);
    expect(done.codes).toEqual({ preview: 0, verdict: 0 });
    expect(done.comment).toMatch(/^# dev\n/);
    expect(done.comment).toMatch(/\bbob\b/);
    expect(done.comment).not.toContain(statement);
  });

  it("ends with 2 when its value is bad, with Pulumi's words in the comment", async () => {
    const head = await place.change("faulty", {
      [stackFile]: (text) => text.replace(keys.alice, "no key at all"),
    });
    const done = await mergeRequest(head);
    expect(done.codes).toEqual({ preview: 2, verdict: 2 });
    expect(done.comment).toContain(
      'error: DevContainer "dev1": 1 fault in its arguments, nothing of it was created:',
    );
    expect(done.comment).toContain(
      "- authorizedKeys[0]: does not start with a key type; allowed: ssh-ed25519, ",
    );
  });

  it("has no pipeline towards another branch, whose program could be anybody's", async () => {
    const jobs = await runPipeline(pipeline, place, {
      variables: {
        CI_PIPELINE_SOURCE: "merge_request_event",
        CI_DEFAULT_BRANCH: "main",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "evil",
      },
      scoped: {},
    });
    expect(jobs).toEqual({});
  });
});

describe("a merge request whose program hides", () => {
  // At preview it is as before; at up it makes everybody an administrator of the cluster.
  const hidden = `
if (!pulumi.runtime.isDryRun()) {
  new k8s.rbac.v1.ClusterRoleBinding(
    "hidden",
    {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:authenticated" }],
    },
    { provider },
  );
}
`;
  let head: string;

  it("is not judged before a maintainer says so, and nothing of it runs", async () => {
    head = await place.change("hides", { "index.ts": (text) => text + hidden });
    const done = await mergeRequest(head);
    expect(done.codes).toEqual({ preview: 2, verdict: 2 });
    expect(done.jobs.preview?.log).toContain("kind=code\nfiles=index.ts\n");
    expect(done.jobs.preview?.log).not.toContain("npm");
    expect(done.comment).toMatch(/^\*\*Not judged\.\*\*/);
    expect((await mergeRequest(head, label)).codes).toEqual({ program: 0 });
  });

  it("then gets a report that finds nothing and says that this is a statement, no proof", async () => {
    const done = await mergeRequest(head, label, ["preview-code"]);
    expect(done.codes).toEqual({ program: 0, "preview-code": 0, verdict: 0 });
    expect(done.comment).toContain(
      `> ${statement} This pull request changes more than stack files: \`index.ts\`.`,
    );
    expect(done.comment).toContain("a program can behave differently at preview. Read the code.");
    expect(done.comment).not.toContain("ClusterRoleBinding");
  });

  it("and does what the report does not show", async () => {
    const folder = await mkdtemp(join(place.folder, "up-"));
    await place.checkOut(folder, head);
    await expectSuccess(place.shell("npm ci --ignore-scripts", folder, { PATH: place.path, HOME: folder }));
    const up = await place.shell("pulumi up --stack dev --yes --non-interactive --skip-preview", folder, {
      PATH: `${join(place.folder, "release/pulumi")}:${place.path}`,
      HOME: folder,
      PULUMI_BACKEND_URL: place.backend,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
    });
    // No cluster is there to take it.
    expect(up.code).not.toBe(0);
    expect(up.stdout).toMatch(/rbac\.authorization\.k8s\.io\/v1:ClusterRoleBinding\W+hidden\W+creating/);
  });
});

describe("a merge request with code of its own", () => {
  it("ends with 2 when its program throws, with Pulumi's words in the comment", async () => {
    const head = await place.change("throws", {
      "index.ts": (text) => `${text}\nthrow new Error("out of paper");\n`,
    });
    const done = await mergeRequest(head, label, ["preview-code"]);
    expect(done.codes).toEqual({ program: 0, "preview-code": 2, verdict: 2 });
    expect(done.comment).toContain(statement);
    expect(done.comment).toContain("Error: out of paper");
  });

  it("cannot read the token of the job that comments, by a link in the place of its report", async () => {
    const script = (last: string) => ({ "ci/preview.sh": () => `${last}\n` });
    const twin = await place.change("report", script("echo a report >report.md"));
    expect((await mergeRequest(twin, label, ["preview-code"])).comment).toMatch(/\n\na report\n$/);
    const attack = await place.change("link", script("ln -s /proc/self/environ report.md"));
    const done = await mergeRequest(attack, label, ["preview-code"]);
    expect(done.codes).toEqual({ program: 0, "preview-code": 0, verdict: 0 });
    expect(done.comment).toMatch(/Read the code\.\n\n$/);
    expect(done.comment).not.toContain(commentToken);
  });
});
