/** A repository of one's own, as `pulumi new` makes it of the starter, and its stacks, with no cluster. */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import { expectSuccess, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { pulumiRelease } from "../support/engine/pulumi-release.ts";

const folder = temporaryFolder();
let project: string;
let env: Record<string, string>;

const pulumi = (...args: string[]) =>
  run("pulumi", [...args, "--non-interactive"], { cwd: project, env, timeoutSeconds: 300 });
// With a relative path the CLI looks in the new folder.
const make = async () => {
  const line = await pageBlock("docs/stacks.md", "sh", "pulumi new");
  return run("sh", ["-c", line.replace("--dir ../devs", `--yes --dir "${project}"`)], { env });
};

beforeAll(async () => {
  project = join(folder, "devs");
  const programs = join(folder, "pulumi");
  env = {
    ...(await pulumiRelease(programs)),
    PATH: [programs, process.env.PATH].join(delimiter),
    HOME: folder,
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "only for tests",
    PULUMI_K8S_KUBECONFIG: unreachableKubeconfig,
    KUBECONFIG: join(folder, "nothing"),
  };
  await expectSuccess(make());
  await symlink(resolve("node_modules"), join(project, "node_modules"));
});

/** What a preview would make, by kind and name. */
async function previewed(stack: string): Promise<string[]> {
  const { stdout } = await expectSuccess(pulumi("preview", "--stack", stack, "--json"));
  const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
  const made = steps.filter(({ op, urn }) => op === "create" && /:drawbridge:index:\w+::/.test(urn));
  return made.map(({ urn }) => urn.replace(/.*drawbridge:index:/, "")).sort();
}

it("has a name of its own, and is not written over another one", async () => {
  expect(await readFile(join(project, "Pulumi.yaml"), "utf8")).toMatch(/^name: devs$/m);
  expect(JSON.parse(await readFile(join(project, "package.json"), "utf8")).name).toBe("devs");
  const again = await make();
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain("is not empty");
});

it("has files that are right, and a second team by a copy of the first's", async () => {
  await expectSuccess(
    run("sh", ["-c", await pageBlock("starter/README.md", "sh", "sed ")], { cwd: project }),
  );
  const lines = await pageBlock("starter/README.md", "sh", "pulumi stack init platform");
  const line = lines.split("\n").find((line) => line.includes(" validate ")) ?? "";
  const { stdout } = await expectSuccess(run("sh", ["-c", line], { cwd: project, env }));
  const names = ["platform", "team-a", "team-b"];
  expect(stdout).toBe(names.map((name) => `Pulumi.${name}.yaml: valid\n`).join(""));
});

it("previews the platform, and each team with what the platform gives out", async () => {
  await expectSuccess(pulumi("stack", "init", "platform"));
  expect(await previewed("platform")).toEqual(["SshGateway::ssh-ingress", "Team::team-a"]);
  const key = /ssh-ed25519 \S+ alice/.exec(
    await readFile(join(project, "Pulumi.platform.yaml"), "utf8"),
  )?.[0];
  const type = "pulumi:pulumi:Stack";
  const outputs = {
    gateway: {
      version: 2,
      name: "ssh-ingress",
      namespace: "ssh-ingress",
      domain: "dev.example.com",
      plainPort: 80,
    },
    people: { alice: { keys: [key], groups: [] } },
  };
  const up = { urn: `urn:pulumi:platform::devs::${type}::devs-platform`, type, custom: false, outputs };
  await writeFile(join(folder, "up.json"), JSON.stringify({ version: 3, deployment: { resources: [up] } }));
  await expectSuccess(pulumi("stack", "import", "--stack", "platform", "--file", join(folder, "up.json")));
  for (const team of ["team-a", "team-b"]) {
    await expectSuccess(pulumi("stack", "init", team));
    const seed = ["--secret", "drawbridge:hostKeySeed", "only-for-tests-0123456789abcdef0123456789abcdef"];
    await expectSuccess(pulumi("config", "set", "--stack", team, ...seed));
    expect(await previewed(team)).toEqual(["DevContainer::dev1"]);
  }
});

it("knows its cluster by nothing of the machine on which it runs, so that each job and laptop sees one cluster", async () => {
  const machine = { KUBECONFIG: "/home/alice/.kube/config", PULUMI_K8S_DELETE_UNREACHABLE: "true" };
  const settings = async (more: Record<string, string>) => {
    const args = ["preview", "--stack", "platform", "--json", "--show-sames", "--non-interactive"];
    const outcome = run("pulumi", args, { cwd: project, env: { ...env, ...more }, timeoutSeconds: 300 });
    const { steps } = JSON.parse((await expectSuccess(outcome)).stdout) as {
      steps: { newState?: { type: string; inputs: object } }[];
    };
    return steps.find(({ newState }) => newState?.type === "pulumi:providers:kubernetes")?.newState?.inputs;
  };
  const here = await settings({});
  expect(here).toMatchObject({ enableSecretMutable: "true" });
  expect(Object.keys(here ?? {})).not.toContain("kubeconfig");
  expect(await settings(machine)).toEqual(here);
});

it("is refused by a Pulumi older than the one that docs/start.md asks for, in one sentence", async () => {
  const file = join(project, "Pulumi.yaml");
  const text = await readFile(file, "utf8");
  const least = /^requiredPulumiVersion: ">=(\d+\.\d+)\.0"$/m.exec(text)?.[1];
  const block = await pageBlock("docs/start.md", "yaml", "runtime:");
  expect(block).toContain(`requiredPulumiVersion: ">=${least}.0"\n`);
  expect(await readFile("docs/start.md", "utf8")).toContain(`| ${least} or newer |`);
  await writeFile(file, text.replace(`>=${least}`, ">=99.0"));
  const { code, stderr } = await pulumi("preview", "--stack", "platform");
  await writeFile(file, text);
  expect(code).not.toBe(0);
  expect(stderr).toContain('does not satisfy the version range ">=99.0.0"');
});

it("copies no team's seed into another's file", async () => {
  const again = await pageBlock("starter/README.md", "sh", "sed ");
  await expectSuccess(run("sh", ["-c", again.replaceAll("team-b", "team-c")], { cwd: project }));
  expect(await readFile(join(project, "Pulumi.team-a.yaml"), "utf8")).toMatch(/hostKeySeed:\n +secure: /);
  const copied = await readFile(join(project, "Pulumi.team-c.yaml"), "utf8");
  expect(copied).toContain("namespace: team-c");
  expect(copied).not.toMatch(/hostKeySeed|secure:/);
});
