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

describe("review.sh", () => {
  it("makes a stack like the team's and removes it with its namespace", async () => {
    await program("pulumi", `echo "pulumi $*" >>calls`);
    await program("kubectl", `echo "kubectl $*" >>calls`);
    await run("sh", [
      "-c",
      `mkdir -p "${folder}/stacks" && cp stacks/Pulumi.team-a.yaml "${folder}/stacks/"`,
    ]);
    for (const action of ["up", "down"])
      expect((await script("review.sh", [action, "7", "team-a"])).code).toBe(0);
    expect((await readFile(join(folder, "calls"), "utf8")).trim().split("\n")).toEqual([
      "pulumi stack select --create pr-7",
      "pulumi config set --stack pr-7 --path drawbridge:team.namespace pr-7",
      "pulumi up --stack pr-7 --yes --non-interactive",
      "pulumi destroy --stack pr-7 --yes --non-interactive --remove",
      "kubectl delete namespace pr-7 --ignore-not-found",
    ]);
    expect((await script("review.sh", ["upp", "7", "team-a"])).code).toBe(2);
  });
});

describe.each(["github.yml", "gitlab.yml"])("%s", (name) => {
  it("previews the stacks that ship, with the script", async () => {
    const text = await readFile(join(root, "examples/ci", name), "utf8");
    const workflow = parse(text) as { env?: { STACKS: string }; variables?: { STACKS: string } };
    expect((workflow.env ?? workflow.variables)?.STACKS).toBe("platform team-a team-gpu");
    expect(text).toContain("sh ci/preview.sh $STACKS");
  });
});
