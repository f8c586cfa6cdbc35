/**
 * A stranger's machine: a root that knows nothing of the repository, with Node, Pulumi and the packages of the dry run.
 * `DRAWBRIDGE_RELEASE` names a folder that the dry run has made already.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectVersion } from "../../scripts/lib/versions.ts";
import { unreachableKubeconfig } from "../support/engine/engine.ts";
import { expectSuccess, run } from "../support/lab/lab.ts";
import { exampleNames } from "../support/pages/example-names.ts";
import { platformLines } from "../support/pages/examples.ts";
import { pageBlock } from "../support/pages/page-blocks.ts";
import { FreshRoot, home } from "./fresh-root.fixture.ts";
import { unreachableTarget } from "./unreachable-target.fixture.ts";

const version = projectVersion();
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const project = `${home}/dev`;
let folder: string;
let root: FreshRoot;
let tarballs: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-dry-run-"));
  root = await FreshRoot.create();
  const made = process.env.DRAWBRIDGE_RELEASE;
  const release = made === undefined ? join(folder, "release") : resolve(made);
  if (made === undefined) {
    const args = ["scripts/release.ts", "--dry-run", "--only", "npm", "--out", release];
    await expectSuccess(run(process.execPath, args, { timeoutSeconds: 1800 }));
  }
  await root.copy(join(release, "npm"), `${home}/drawbridge/release/npm`);
  tarballs = (await readdir(join(release, "npm"))).map((name) => `${home}/drawbridge/release/npm/${name}`);
  await root.write(`${home}/.ssh/id_ed25519.pub`, `${publicKey}\n`);
  await root.write(`${home}/kubeconfig`, unreachableKubeconfig);
});
afterAll(() => Promise.all([root.remove(), rm(folder, { recursive: true, force: true })]));

/** A preview asks no cluster here: the provider is told of none that answers. */
const preview = `PULUMI_K8S_KUBECONFIG="$(cat ${home}/kubeconfig)" KUBECONFIG=/nonexistent pulumi preview`;
const created = / drawbridge:index:(?:DevContainer|InjectedSshd|SshRoute) +\S+ +create/;

it("has nothing of the repository where a program would look", async () => {
  const { stdout } = await expectSuccess(
    root.shell("node --version; command -v drawbridge || echo none; ls", home),
  );
  expect(stdout).toBe(`${process.version}\nnone\ndrawbridge\nkubeconfig\n`);
});

describe("docs/start.md and the README", () => {
  it("make a project from the dry run's folder, whose program compiles and previews", async () => {
    const install = await pageBlock("docs/start.md", "sh", "npm init");
    // The first line makes the packages, which lie there.
    const lines = install.replace(/^npm ci .*\n/, "");
    await expectSuccess(root.shell(lines, `${home}/drawbridge`, false));
    const files = {
      "Pulumi.yaml": await pageBlock("docs/start.md", "yaml", "runtime:"),
      "tsconfig.json": await pageBlock("docs/start.md", "json", "nodenext"),
      "index.ts": await pageBlock("README.md", "ts", "new DevContainer"),
    };
    for (const [name, text] of Object.entries(files)) await root.write(`${project}/${name}`, text);
    await expectSuccess(root.shell("node_modules/.bin/tsc", project));
    const [set = ""] = (await pageBlock("docs/start.md", "sh", "pulumi stack init dev")).split(
      /^pulumi up\n/m,
    );
    await expectSuccess(root.shell(set, project));
    const { stdout } = await expectSuccess(root.shell(preview, project));
    expect(stdout).toMatch(created);
  });

  it("the guard that came along judges that preview", async () => {
    const lines = await pageBlock("docs/preview-guard.md", "sh", "drawbridge-preview-guard");
    const judged = lines.replace("pulumi preview", preview);
    const { stdout } = await expectSuccess(root.shell(`set +e\n${judged}exec cat report.md`, project));
    expect(stdout.split("\n")[0]).toBe("## drawbridge: nothing dangerous");
  });

  it("the command says its version, and writes an ssh_config whose ProxyCommand ssh can start", async () => {
    const bin = "node_modules/.bin/drawbridge";
    expect((await expectSuccess(root.shell(`${bin} --version`, project, false))).stdout).toBe(`${version}\n`);
    await root.write(`${project}/outputs.json`, JSON.stringify({ dev1: unreachableTarget }));
    await expectSuccess(root.shell(`${bin} ssh-config --from outputs.json`, project, false));
    const login = await root.shell(`ssh -F ${home}/.ssh/config dev1 true`, project, false);
    expect(login.code).toBe(255);
    expect(login.stderr).toContain("drawbridge: 127.0.0.1:1 refuses connections");
  });
});

describe("an example that was copied there", () => {
  it.each(exampleNames)("%s previews with the values that its README sets", async (name) => {
    const place = `${home}/${name}`;
    await root.copy(join("examples", name), place);
    const quiet = "npm install --prefer-offline --no-audit --no-fund --loglevel=error";
    await expectSuccess(root.shell(`${quiet} ${tarballs.join(" ")}`, place, false));
    for (const file of ["east.yaml", "west.yaml"])
      await root.write(`${place}/${file}`, unreachableKubeconfig);
    const block = await pageBlock(join("examples", name, "README.md"), "sh", "npm install");
    const set = block.split("\n").filter((line) => /^pulumi (stack init|config set) /.test(line));
    // What a README asks its cluster for.
    const asked = ["apiServer=192.0.2.10", `hostKey='${publicKey}'`];
    await expectSuccess(root.shell([...asked, ...set, platformLines].join("\n"), place));
    const { stdout } = await expectSuccess(root.shell(preview, place));
    expect(stdout).toMatch(created);
  });
});
