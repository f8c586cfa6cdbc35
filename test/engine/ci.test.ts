/**
 * The recipes for CI by themselves: what their scripts make of outcomes that cannot be had at will, and what must hold
 * of their texts. The whole recipes are run by ci-change beside this file, and by ci-github and ci-gitlab in test/release.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Outcome, run } from "../../scripts/lib/lab/lab.ts";

const root = process.cwd();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-ci-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Puts a shell script on the PATH. */
async function program(name: string, text: string): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
}

async function script(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const path = { PATH: `${folder}:${process.env.PATH}` };
  return run("sh", [join(root, "starter/ci", name), ...args], { cwd: folder, env: { ...path, ...env } });
}

/** What `pulumi preview --json` prints of a stack with a ConfigMap and a claim. */
const digest = (op: string) => {
  const object = (apiVersion: string, kind: string, name: string) => {
    const type = `kubernetes:core/${apiVersion}:${kind}`;
    const inputs = { apiVersion, kind, metadata: { name, namespace: "team-a" } };
    return { type, urn: `urn:pulumi:team-a::drawbridge::${type}::${name}`, custom: true, inputs };
  };
  const type = "pulumi:pulumi:Stack";
  const stack = { type, urn: `urn:pulumi:team-a::drawbridge::${type}::drawbridge-team-a`, inputs: {} };
  const steps = [stack, object("v1", "ConfigMap", "motd")].map((state) => ({
    op: "same",
    urn: state.urn,
    oldState: state,
    newState: state,
  }));
  const claim = object("v1", "PersistentVolumeClaim", "dev1-home");
  const changeSummary = op === "same" ? { same: 3 } : { same: 2, [op]: 1 };
  const claimStep = { op, urn: claim.urn, oldState: claim, ...(op === "same" ? { newState: claim } : {}) };
  return JSON.stringify({ steps: [...steps, claimStep], duration: 1, changeSummary });
};

describe("preview.sh", () => {
  const report = () => readFile(join(folder, "report.md"), "utf8");
  const headings = async () => (await report()).match(/^# .*$/gm);

  beforeEach(async () => {
    await mkdir(join(folder, "node_modules/@drawbridge-iac"), { recursive: true });
    await symlink(join(root, "packages/guard"), join(folder, "node_modules/@drawbridge-iac/preview-guard"));
    for (const op of ["same", "delete"]) await writeFile(join(folder, `${op}.json`), digest(op));
  });
  /** Pulumi, as it does for each stack: what it prints, and its exit code. */
  const pulumi = (stacks: Readonly<Record<string, string>>) => {
    const cases = Object.entries(stacks).map(([name, does]) => `*"--stack ${name} "*) ${does} ;;`);
    return program("pulumi", `case "$*" in ${cases.join("\n")} esac`);
  };
  const nothing = `cat "$PWD/same.json"`;

  it("ends with 0 when nothing is dangerous", async () => {
    await pulumi({ platform: nothing });
    expect((await script("preview.sh", ["platform"])).code).toBe(0);
    expect(await headings()).toEqual(["# platform"]);
    expect(await report()).not.toContain("Not judged");
  });

  it("ends with 1 when one stack is dangerous, and reports them all", async () => {
    await pulumi({ platform: nothing, "team-a": `cat "$PWD/delete.json"`, "team-gpu": nothing });
    expect((await script("preview.sh", ["platform", "team-a", "team-gpu"])).code).toBe(1);
    expect(await headings()).toEqual(["# platform", "# team-a", "# team-gpu"]);
    expect((await report()).match(/\*\*volume-lost\*\*/g)).toHaveLength(1);
  });

  it("ends with 2 when one was not judged, whatever the others are", async () => {
    await pulumi({ platform: "exit 1", "team-a": `cat "$PWD/delete.json"`, "team-gpu": nothing });
    expect((await script("preview.sh", ["platform", "team-a", "team-gpu"])).code).toBe(2);
    expect(await headings()).toEqual(["# platform", "# team-a", "# team-gpu"]);
  });

  it.each([
    [
      "has no such stack",
      "echo \"error: no stack named 'team-a' found\" >&2; exit 6",
      "error: no stack named",
    ],
    ["fails after a digest without fault", `${nothing}; exit 255`, "255"],
    ["is killed after it", `${nothing}; kill -9 $$`, "137"],
    ["is killed before it", "kill -9 $$", "Pulumi ended with 137"],
    ["prints half of it", `head -c 100 "$PWD/same.json"`, "team-a"],
    ["prints nothing", "exit 0", "Pulumi ended with 0"],
  ])("ends with 2 when Pulumi %s, and says so", async (_, does, words) => {
    await pulumi({ "team-a": does });
    expect((await script("preview.sh", ["team-a"])).code).toBe(2);
    expect(await report()).toContain(words);
  });

  it.each([
    ["is killed", "kill -9 $$"],
    // As Node does where a module is missing.
    ["falls over", "echo 'Cannot find module' >&2; exit 1"],
    ["says nothing at all", "exit 0"],
  ])("ends with 2 when the guard %s", async (_, does) => {
    await pulumi({ "team-a": nothing });
    await program("node", does);
    expect((await script("preview.sh", ["team-a"])).code).toBe(2);
    expect(await report()).toMatch(/^# team-a\n\n\*\*Not judged\.\*\* /);
  });

  it.each([
    ["Pulumi", "pulumi", "exit 1"],
    ["the guard", "node", "exit 3"],
  ])("keeps what %s says inside of its code, and calls nobody", async (_, name, end) => {
    await pulumi({ "team-a": nothing });
    // It ends code, forges a heading and turns the direction; where it is the guard, node still shows the log.
    const says = String.raw`printf '\n\`\`\`\`\n# all is well\n@all \342\200\256x\n' >&2`;
    await program(name, `case "$*" in -e*) exec ${process.execPath} "$@" ;; esac\n${says}\n${end}`);
    expect((await script("preview.sh", ["team-a"])).code).toBe(2);
    const fences = (await report()).match(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm) ?? [];
    const outside = (await report()).replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, "");
    expect(fences.join("\n")).toContain("# all is well\n@all \ufffdx");
    expect(outside).not.toMatch(/all is well|@all|\u202e/);
  });

  it("ends with 2 without a guard, and without a stack", async () => {
    await rm(join(folder, "node_modules"), { recursive: true });
    const { code, stderr } = await script("preview.sh", ["team-a"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "preview.sh: there is no node_modules/@drawbridge-iac/preview-guard; add @drawbridge-iac/preview-guard to package.json and run npm ci\n",
    });
    const none = await script("preview.sh", []);
    expect(none).toMatchObject({ code: 2, stderr: "preview.sh: give the names of one or more stacks\n" });
    expect(existsSync(join(folder, "report.md"))).toBe(false);
  });

  it("judges what Pulumi wrote now, whatever files lie about", async () => {
    await pulumi({ "team-a": "exit 1" });
    for (const name of ["preview.json", "preview-team-a.json"]) {
      await writeFile(join(folder, name), digest("same"));
    }
    await writeFile(join(folder, "report.md"), "all is well");
    expect((await script("preview.sh", ["team-a"])).code).toBe(2);
    expect(await report()).not.toContain("all is well");
  });
});

describe("program.sh", () => {
  const git = async (...args: string[]) => {
    const own = ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com"];
    const { code, stdout, stderr } = await run("git", [...own, ...args]);
    expect({ args, code, stderr }).toMatchObject({ code: 0 });
    return stdout.trim();
  };
  const pulumiYaml = "name: devs\nruntime: nodejs\n";

  /** What it says of a pull request with these files. */
  async function judged(files: Readonly<Record<string, string>>, env: Record<string, string> = {}) {
    await git("checkout", "--quiet", "-B", "change", "main");
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "change");
    const head = await git("rev-parse", "HEAD");
    await git("checkout", "--quiet", "main");
    return script("program.sh", [head], env);
  }

  beforeEach(async () => {
    await git("init", "--quiet", "-b", "main");
    await mkdir(join(folder, "node_modules/@drawbridge-iac"), { recursive: true });
    await symlink(join(root, "packages/guard"), join(folder, "node_modules/@drawbridge-iac/preview-guard"));
    await writeFile(join(folder, ".gitignore"), "node_modules\n");
    await writeFile(join(folder, "Pulumi.yaml"), pulumiYaml);
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "main");
  });

  const analyzer = `${pulumiYaml}plugins:\n  analyzers:\n    - name: policy-nodejs\n      path: ./fake\n`;
  const what = 'plugins: none → {"analyzers":[{"name":"policy-nodejs","path":"./fake"}]}';

  it("refuses an analyzer of the change's own, until it is accepted", async () => {
    const { code, stdout } = await judged({ "Pulumi.yaml": analyzer });
    expect(code).toBe(1);
    expect(stdout).toContain(
      `**program-changed**](docs/guard-rules.md#program-changed) Pulumi.yaml: ${what}`,
    );
    const until = new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 10);
    const accepted = [{ rule: "program-changed", object: "Pulumi.yaml", what, until }];
    const env = { GUARD_ACCEPT: JSON.stringify(accepted) };
    expect(await judged({ "Pulumi.yaml": analyzer }, env)).toMatchObject({ code: 0, stdout: "" });
  });

  it("says nothing of the program's own code, and is misled by no attribute of git", async () => {
    expect(await judged({ "index.ts": "export {};\n" })).toMatchObject({ code: 0, stdout: "" });
    const hidden = { "Pulumi.yaml": analyzer, ".gitattributes": "Pulumi.yaml export-ignore\n" };
    expect((await judged(hidden)).stdout).toContain(what);
  });

  it("ends with 2 where it cannot look", async () => {
    expect((await script("program.sh", ["nowhere"])).code).toBe(2);
    await rm(join(folder, "node_modules"), { recursive: true });
    expect(await judged({ "index.ts": "" })).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("verdict.sh", () => {
  const verdict = async (...args: string[]) => {
    await writeFile(join(folder, "report.md"), "the report\n");
    const { code, stdout } = await script("verdict.sh", args);
    return { code, stdout };
  };

  it.each(["0", "1", "2"])("keeps %s", async (code) => {
    expect(await verdict("stack-files", code, "report.md")).toEqual({
      code: Number(code),
      stdout: "the report\n",
    });
    const { code: own, stdout } = await verdict("code", code, "report.md", "a.ts, b`c`.ts", "0");
    expect(own).toBe(Number(code));
    expect(stdout).toContain(
      "**A statement, no proof.** This pull request changes more than stack files: `a.ts, b",
    );
    expect(stdout).toMatch(/\n\nthe report\n$/);
  });

  it("has the worst of what was judged of a program's start and of its preview, and shows both", async () => {
    await writeFile(join(folder, "program.md"), "what starts it\n");
    const both = (code: string, started: string) =>
      verdict("code", code, "report.md", "a.ts", started, "program.md");
    expect((await both("0", "1")).code).toBe(1);
    expect((await both("2", "1")).code).toBe(2);
    expect((await both("1", "2")).code).toBe(2);
    expect((await both("0", "0")).stdout).toMatch(/\n\nwhat starts it\nthe report\n$/);
    await symlink(join(folder, "report.md"), join(folder, "link.md"));
    const link = await verdict("code", "0", "report.md", "a.ts", "0", "link.md");
    expect(link.stdout.match(/the report/g)).toHaveLength(1);
  });

  it.each([
    [["stack-files", "", "report.md"]],
    [["stack-files", "00", "report.md"]],
    [["stack-files", "137", "report.md"]],
    [["", "0", "report.md"]],
    [["anything", "0", "report.md"]],
    [["code", "0", "report.md", "a.ts"]],
    [["code", "0", "report.md", "a.ts", ""]],
    [[]],
  ])("makes 2 of %j", async (args) => {
    const { code, stdout } = await verdict(...args);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^\*\*Not judged\.\*\* No preview of this pull request came to its end/);
  });

  it("leaves the names of files no way out of their quotes, and fits a comment", async () => {
    const { stdout } = await verdict("code", "0", "report.md", "a` **approved** `b", "0");
    expect(stdout).toContain("`a **approved** b`");
    await writeFile(join(folder, "long.md"), "x".repeat(200_000));
    const { stdout: long } = await script("verdict.sh", ["code", "0", "long.md", "a.ts", "0", "long.md"]);
    expect(long.length).toBeLessThan(65_536);
    expect(long.length).toBeGreaterThan(60_000);
  });
});

describe("install-pulumi.sh", () => {
  /** Runs it with a download service that has this archive, and a pin of that checksum. */
  const install = async (pinned?: string): Promise<Outcome> => {
    await mkdir(join(folder, "release/pulumi"), { recursive: true });
    await writeFile(join(folder, "release/pulumi/pulumi"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
    const archive = join(folder, "release.tar.gz");
    await run("tar", ["-czf", archive, "-C", join(folder, "release"), "pulumi"]);
    await program(
      "curl",
      `echo "$*" >"${folder}/asked"; while [ "$1" != --output ]; do shift; done; cp "${archive}" "$2"`,
    );
    const own = createHash("sha256")
      .update(await readFile(archive))
      .digest("hex");
    const text = await readFile("starter/ci/install-pulumi.sh", "utf8");
    const copy = join(folder, "install-pulumi.sh");
    await writeFile(copy, text.replaceAll(/(?<= sha256=)\w{64}/g, pinned ?? own));
    return run("sh", [copy, join(folder, "bin")], { env: { PATH: `${folder}:${process.env.PATH}` } });
  };

  it("unpacks a release whose checksum is right", async () => {
    expect(await install()).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await run(join(folder, "bin/pulumi"), [])).stdout).toBe("ran\n");
    expect(await readFile(join(folder, "asked"), "utf8")).toMatch(
      / https:\/\/github\.com\/pulumi\/pulumi\/releases\/download\/v([\d.]+)\/pulumi-v\1-linux-(x64|arm64)\.tar\.gz\n$/,
    );
  });

  it("unpacks nothing of another one", async () => {
    const { code, stderr } = await install("0".repeat(64));
    expect(code).not.toBe(0);
    expect(stderr).toContain("FAILED");
    expect(await readdir(join(folder, "bin"))).toEqual([]);
  });
});

describe("backend.sh", () => {
  const asked = () => readFile(join(folder, "asked"), "utf8");
  const login = async (env: Record<string, string>) => {
    await program("curl", `{ echo "$*"; cat; } >"${folder}/asked"; echo '{"value":"the token"}'`);
    await program("pulumi", `echo "$*" >"${folder}/login"`);
    const github = { ACTIONS_ID_TOKEN_REQUEST_URL: "https://token.example.com/?v=1", RUNNER_TEMP: folder };
    return script("backend.sh", [], { ...github, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "bearer", ...env });
  };
  const printed = (...lines: string[]) => ({
    code: 0,
    stdout: lines.map((line) => `${line}\n`).join(""),
    stderr: "",
  });

  it("asks for a token that the cloud takes, and says where it lies", async () => {
    const token = `${folder}/token`;
    const s3 = {
      PULUMI_BACKEND_URL: "s3://state",
      AWS_REGION: "eu-west-1",
      AWS_ROLE_ARN: "arn:aws:iam::1:role/ci",
    };
    const { AWS_ROLE_ARN: role, ...plain } = s3;
    const shown = Object.entries(plain).map(([name, value]) => `${name}=${value}`);
    expect(await login(s3)).toEqual(
      printed(...shown, `AWS_ROLE_ARN=${role}`, `AWS_WEB_IDENTITY_TOKEN_FILE=${token}`),
    );
    expect(await asked()).toContain(
      "audience=sts.amazonaws.com --header @- https://token.example.com/?v=1\nAuthorization: bearer bearer\n",
    );
    expect(await readFile(token, "utf8")).toBe("the token");
    const provider = "projects/1/locations/global/workloadIdentityPools/ci/providers/github";
    expect(await login({ PULUMI_BACKEND_URL: "gs://state", GCP_PROVIDER: provider })).toEqual(
      printed("PULUMI_BACKEND_URL=gs://state", `GOOGLE_APPLICATION_CREDENTIALS=${folder}/google.json`),
    );
    expect(await asked()).toContain(`audience=https://iam.googleapis.com/${provider} `);
    expect(JSON.parse(await readFile(join(folder, "google.json"), "utf8"))).toMatchObject({
      audience: `//iam.googleapis.com/${provider}`,
      credential_source: { file: token },
    });
    const azure = { AZURE_STORAGE_ACCOUNT: "state", AZURE_CLIENT_ID: "app", AZURE_TENANT_ID: "company" };
    expect((await login({ PULUMI_BACKEND_URL: "azblob://state", ...azure })).stdout).toBe(
      `PULUMI_BACKEND_URL=azblob://state\nAZURE_STORAGE_ACCOUNT=state\nAZURE_CLIENT_ID=app\nAZURE_TENANT_ID=company\nAZURE_FEDERATED_TOKEN_FILE=${token}\n`,
    );
    expect(await login({ PULUMI_ORGANIZATION: "company" })).toEqual(printed());
    expect(await readFile(join(folder, "login"), "utf8")).toBe(
      `login --oidc-token file://${token} --oidc-org company\n`,
    );
  });

  it("asks for none where the address is enough, and takes the one that GitLab gives", async () => {
    expect(await login({ PULUMI_BACKEND_URL: "file:///mnt/state" })).toEqual(
      printed("PULUMI_BACKEND_URL=file:///mnt/state"),
    );
    expect(await login({ PULUMI_BACKEND_URL: "s3://state" })).toEqual(
      printed("PULUMI_BACKEND_URL=s3://state"),
    );
    await login({ PULUMI_ORGANIZATION: "company", BACKEND_TOKEN: "of GitLab" });
    await expect(asked()).rejects.toThrow("ENOENT");
    expect(await readFile(join(folder, "token"), "utf8")).toBe("of GitLab");
  });

  it("says what a job lacks that gets no token", async () => {
    const none = { PULUMI_ORGANIZATION: "company", ACTIONS_ID_TOKEN_REQUEST_URL: "" };
    expect(await login(none)).toEqual({
      code: 2,
      stdout: "",
      stderr: "backend.sh: this job gets no token; give it the permission id-token: write\n",
    });
  });
});

/** Puts a project with the scripts into the folder, and programs that only write down how they were called. */
async function project(): Promise<() => Promise<string[]>> {
  await program("pulumi", `echo "pulumi $*" >>"${folder}/calls"`);
  await program("kubectl", `echo "kubectl $*" >>"${folder}/calls"`);
  const copy = `mkdir -p ci && cp ${root}/stacks/Pulumi.*.yaml . && cp ${root}/starter/ci/*.sh ci/`;
  await run("sh", ["-c", copy], { cwd: folder });
  return async () => (await readFile(join(folder, "calls"), "utf8")).trim().split("\n");
}

const made = [
  "pulumi stack select --create pr-7",
  "pulumi config set --stack pr-7 --path drawbridge:team.namespace pr-7",
  "pulumi config set --stack pr-7 --path drawbridge:team.createNamespace true",
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
    [["up", "7", "team-z"], "review.sh: give a number and a team's stack; there is no Pulumi.team-z.yaml\n"],
  ])("ends with 2 on %j", async (args, reason) => {
    await project();
    const { code, stderr } = await script("review.sh", args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: reason });
  });
});

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { if: string; environment?: string; permissions?: unknown; steps: Step[]; env?: unknown }>
  >;
}

interface Pipeline {
  readonly variables: Readonly<Record<string, string>>;
  readonly [job: string]: { readonly script?: unknown[] } & Readonly<Record<string, unknown>>;
}

async function recipe<T>(name: string): Promise<T> {
  return parse(await readFile(join(root, "starter", name), "utf8")) as T;
}

/** Runs the commands of a job as its runner would, in a project with programs that write down their calls. */
async function job(commands: string, env: Record<string, string>): Promise<string[]> {
  const calls = await project();
  await program("npm", "");
  await program("curl", "");
  await writeFile(join(folder, "ci/install-pulumi.sh"), "");
  const path = { PATH: `${folder}:${process.env.PATH}`, RUNNER_TEMP: folder };
  const { code, stderr } = await run("sh", ["-e", "-c", commands], { cwd: folder, env: { ...path, ...env } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return calls();
}

const stacks = ["platform", "team-a"];
const ups = stacks.map((stack) => `pulumi up --stack ${stack} --yes --non-interactive`);
const lastRun = (workflow: Workflow, name: string) =>
  workflow.jobs[name]?.steps.findLast((step) => step.run !== undefined)?.run ?? "";
/** Which steps get which secrets: job, index of the step, names. */
const secretsOf = (workflow: Workflow) =>
  Object.entries(workflow.jobs).flatMap(([name, { steps }]) =>
    steps.flatMap(({ env = {} }, index) => {
      const texts = Object.values(env).join(" ");
      const secret = [...texts.matchAll(/secrets\.(\w+)|(github\.token)/g)].map(
        (match) => match[1] ?? match[2],
      );
      return secret.length === 0
        ? []
        : [
            `${name} ${steps[index]?.run?.match(/^sh \S+|^pulumi \w+|gh pr comment|pulumi up|sh ci\/\S+/m)?.[0]}: ${secret.join(", ")}`,
          ];
    }),
  );

describe("drawbridge.yml", () => {
  it("has the stacks that ship, and brings them up on the main branch", async () => {
    const workflow = await recipe<Workflow>(".github/workflows/drawbridge.yml");
    expect(workflow.env).toEqual({ STACKS: stacks.join(" ") });
    const env = { STACKS: stacks.join(" "), KUBECONFIG_TEXT: "text" };
    expect(await job(lastRun(workflow, "up"), env)).toEqual(ups);
    expect(await readFile(join(folder, "kubeconfig"), "utf8")).toBe("text");
  });

  it("stops bringing up at the first stack that fails, with Pulumi's own code", async () => {
    await project();
    await program("pulumi", `echo "$*" >>"${folder}/calls"; case "$*" in *team-a*) exit 7 ;; esac`);
    const commands = lastRun(await recipe<Workflow>(".github/workflows/drawbridge.yml"), "up");
    const { code } = await run("bash", ["-e", "-c", commands], {
      cwd: folder,
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        RUNNER_TEMP: folder,
        STACKS: stacks.join(" "),
        KUBECONFIG_TEXT: "",
      },
    });
    expect(code).toBe(7);
    expect((await readFile(join(folder, "calls"), "utf8")).match(/--stack \S+/g)).toEqual([
      "--stack platform",
      "--stack team-a",
    ]);
  });

  it("takes pull requests to main only, from the target branch, and gives each step what it needs", async () => {
    const workflow = await recipe<Workflow>(".github/workflows/drawbridge.yml");
    expect(workflow.on).toEqual({
      pull_request_target: { branches: ["main"] },
      push: { branches: ["main"] },
    });
    expect(workflow.permissions).toEqual({ contents: "read" });
    const jobs = Object.entries(workflow.jobs);
    expect(jobs.map(([name, { environment, permissions }]) => [name, environment, permissions])).toEqual([
      // The token says which repository and environment a job is of; anyone who holds the state gives rights for that.
      ["preview", "preview", { contents: "read", "id-token": "write" }],
      ["preview-code", "preview-code", { contents: "read", "id-token": "write" }],
      ["verdict", undefined, { contents: "read", "pull-requests": "write" }],
      ["up", "production", { contents: "read", "id-token": "write" }],
    ]);
    expect(secretsOf(workflow)).toEqual([
      "preview sh ci/preview.sh: PULUMI_CONFIG_PASSPHRASE",
      "preview-code sh ci/preview.sh: PULUMI_CONFIG_PASSPHRASE",
      "verdict sh ci/verdict.sh: github.token",
      "up pulumi up: PULUMI_CONFIG_PASSPHRASE, KUBECONFIG",
    ]);
  });
});

describe("drawbridge-review.yml", () => {
  it("makes a review stack and removes it, never for a fork", async () => {
    const workflow = await recipe<Workflow>(".github/workflows/drawbridge-review.yml");
    expect(workflow.jobs.review?.if).toBe(
      "github.event.pull_request.head.repo.full_name == github.repository",
    );
    expect(workflow.jobs.review?.environment).toBe("review");
    expect(workflow.jobs.review?.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(workflow.jobs.review?.steps.map(({ run }) => run)).toContain('sh ci/backend.sh >>"$GITHUB_ENV"');
    expect(secretsOf(workflow)).toEqual(["review sh ci/review.sh: PULUMI_CONFIG_PASSPHRASE, KUBECONFIG"]);
    const commands = lastRun(workflow, "review");
    const env = { KUBECONFIG_TEXT: "text", NUMBER: "7", TEAM: "team-a" };
    expect(await job(commands, { ...env, ACTION: "up" })).toEqual(up);
    expect(await job(commands, { ...env, ACTION: "down" })).toEqual([...up, ...down]);
  });
});

describe("gitlab.yml", () => {
  it("has the stacks that ship, brings them up, and has review stacks with their removal", async () => {
    const pipeline = await recipe<Pipeline>("gitlab.yml");
    const env = { STACKS: stacks.join(" "), TEAM: "team-a", CI_MERGE_REQUEST_IID: "7", HOME: folder };
    expect(pipeline.variables).toEqual({ STACKS: env.STACKS, TEAM: env.TEAM, GIT_DEPTH: "0" });
    const commands = (name: string) => pipeline[name]?.script?.flat(10).join("\n") ?? "";
    expect(await job(commands("up"), env)).toEqual(ups);
    expect(await job(commands("review"), env)).toEqual([...ups, ...up]);
    expect(await job(commands("review-stop"), env)).toEqual([...ups, ...up, ...down]);
    expect(pipeline.review).toMatchObject({ environment: { on_stop: "review-stop" } });
  });

  it("gives each job the variables of an environment of its own", async () => {
    const { default: _, variables, workflow, ...jobs } = await recipe<Pipeline>("gitlab.yml");
    const named = Object.entries(jobs).filter(([name]) => !name.startsWith("."));
    expect(named.map(([name, job]) => [name, (job.environment as { name: string }).name])).toEqual([
      ["preview", "preview"],
      ["program", "preview"],
      ["preview-code", "preview-code"],
      ["verdict", "comment"],
      ["up", "production"],
      ["review", "review/$CI_MERGE_REQUEST_IID"],
      ["review-stop", "review/$CI_MERGE_REQUEST_IID"],
    ]);
  });
});

describe("every recipe", () => {
  const files = [".github/workflows/drawbridge.yml", ".github/workflows/drawbridge-review.yml", "gitlab.yml"];

  it("pins actions by commit and images by digest", async () => {
    const texts = await Promise.all(files.map((name) => readFile(join(root, "starter", name), "utf8")));
    const used = texts.join("\n").match(/^.*\b(uses|image):.*$/gm) ?? [];
    expect(used).toHaveLength(10);
    const pinned =
      /^ +- uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$|^ +image: [\w.:/-]+@sha256:[0-9a-f]{64}$/;
    expect(used.filter((line) => !pinned.test(line))).toEqual([]);
  });

  it("pins the project's own workflows too: actions, machines, Node, and nothing that floats", async () => {
    const folder = join(root, ".github/workflows");
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    const lines = texts.join("\n").split("\n");
    const all = (what: RegExp) => lines.filter((line) => what.test(line)).map((line) => line.trim());
    const own = /^uses: \.\/\.github\/workflows\/test\.yml$/;
    const pinned = /^- uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(all(/^ *(- )?uses:/).filter((line) => !pinned.test(line) && !own.test(line))).toEqual([]);
    // Without the variable it is no reference at all, so the job cannot begin.
    const image = 'container: { image: "debian:trixie@${{ vars.DEBIAN_DIGEST }}", options: --privileged }';
    expect(new Set(all(/^ *container:/))).toEqual(new Set([image]));
    expect(all(/\bimage: /).filter((line) => line !== image)).toEqual([]);
    const versions = [...texts.join("\n").matchAll(/\bnode(?:-version)?: "?([^ ,"}]+)/g)].map(
      ([, one]) => one,
    );
    expect(versions.length).toBeGreaterThan(4);
    expect(versions.filter((one) => !/^(\d+\.\d+\.\d+|\$\{\{)$/.test(one ?? ""))).toEqual([]);
    expect(all(/\bnpm (ci|i|install|add|exec)\b|\bnpx\b/)).toEqual(
      Array(3).fill("- run: npm ci --ignore-scripts && node scripts/stamp-install.js"),
    );
    expect(all(/\b(pip|gem|cargo|go) install\b|curl/)).toEqual([]);
    // Every process of a machine can read every command.
    expect(all(/\$\{?TOKEN\b/)).toEqual([
      'echo "$TOKEN" | skopeo login ghcr.io --username "$GITHUB_ACTOR" --password-stdin',
      `basic=$(printf 'x-access-token:%s' "$TOKEN" | base64 --wrap=0)`,
    ]);
    const workflows = texts.map((text) => parse(text) as Workflow);
    const runs = workflows.flatMap(({ jobs }) =>
      Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run = "" }) => run)),
    );
    expect(runs.filter((line) => line.includes("${{"))).toEqual([]);
  });

  it("runs npm ci without other people's scripts, and no pull request's text in a command", async () => {
    for (const name of files) {
      const text = await readFile(join(root, "starter", name), "utf8");
      expect(
        text.match(/npm (ci|install).*/g)?.every((line) => line.startsWith("npm ci --ignore-scripts")),
      ).toBe(true);
      // An expression inside a command would be read by the shell; all of them come in variables.
      const workflow = parse(text) as Partial<Workflow>;
      const runs = Object.values(workflow.jobs ?? {}).flatMap(({ steps }) =>
        steps.map((step) => step.run ?? ""),
      );
      expect(runs.filter((line) => line.includes("${{"))).toEqual([]);
    }
  });
});
