/**
 * A stranger's machine: a root that knows nothing of the repository, with Node, Pulumi and a registry that has the
 * packages of the dry run. From there to a preview in each language. `DRAWBRIDGE_RELEASE` names a folder that the dry run
 * has made already.
 */
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ensureTools, goCommand, silentProgress } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import { goProxy, kubernetesPython, programFiles, sdksIn } from "../../scripts/lib/engine/sdks.ts";
import { expectSuccess, run } from "../../scripts/lib/lab/lab.ts";
import { exampleNames } from "../../scripts/lib/pages/example-names.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { projectVersion } from "../../scripts/lib/versions.ts";
import { wheelFile } from "../../scripts/release/sdks.ts";
import { platformLines } from "../support/pages/examples.ts";
import { gitServer } from "../support/release/git-server.ts";
import { publishedPackages } from "../support/release/outsider.ts";
import { FreshRoot, home } from "./fresh-root.fixture.ts";
import { Registry } from "./registry.fixture.ts";
import { unreachableTarget } from "./unreachable-target.fixture.ts";

const version = projectVersion();
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const project = `${home}/dev`;
let folder: string;
let release: string;
let root: FreshRoot;
let registry: Registry | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-dry-run-"));
  root = await FreshRoot.create();
  const made = process.env.DRAWBRIDGE_RELEASE;
  release = made === undefined ? join(folder, "release") : resolve(made);
  if (made === undefined) {
    const args = ["scripts/release.ts", "--dry-run", "--only", "npm", "--out", release];
    await expectSuccess(run(process.execPath, args, { timeoutSeconds: 1800 }));
  }
  registry = await Registry.start(join(folder, "registry"), join(release, "npm"));
  await root.write(`${home}/.npmrc`, registry.settings);
  await root.write(`${home}/.ssh/id_ed25519.pub`, `${publicKey}\n`);
  await root.write(`${home}/kubeconfig`, unreachableKubeconfig);
});
afterAll(async () => {
  registry?.stop();
  await Promise.all([root.remove(), rm(folder, { recursive: true, force: true })]);
});

/** A preview asks no cluster here: the provider is told of none that answers. */
const noCluster = `PULUMI_K8S_KUBECONFIG="$(cat ${home}/kubeconfig)" KUBECONFIG=/nonexistent`;
const preview = `${noCluster} pulumi preview`;
const created = / drawbridge:index:(?:DevContainer|InjectedSshd|SshRoute) +\S+ +create/;

it("has nothing of the repository where a program would look", async () => {
  const { stdout } = await expectSuccess(
    root.shell("node --version; command -v drawbridge || echo none; ls", home),
  );
  expect(stdout).toBe(`${process.version}\nnone\nkubeconfig\n`);
});

describe("docs/start.md and the README", () => {
  it("make a project, whose program compiles and previews", async () => {
    const install = await pageBlock("docs/start.md", "sh", "npm init");
    // Until a release is out the page makes the packages in a clone.
    const lines = install
      .replace(/^npm ci .*\n/, "")
      .replace(/^cp -r .*\n/m, "")
      .replace("../dev && cd ../dev", "dev && cd dev")
      .replace("./archives/*.tgz", publishedPackages.map((name) => `@drawbridge-iac/${name}`).join(" "));
    await expectSuccess(root.shell(lines, home, false));
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
    for (const file of ["east.yaml", "west.yaml"])
      await root.write(`${place}/${file}`, unreachableKubeconfig);
    const block = await pageBlock(join("examples", name, "README.md"), "sh", "npm install");
    await expectSuccess(root.shell("npm install", place, false));
    const set = block.split("\n").filter((line) => /^pulumi (stack init|config set) /.test(line));
    // What a README asks its cluster for.
    const asked = ["apiServer=192.0.2.10", `hostKey='${publicKey}'`];
    await expectSuccess(root.shell([...asked, ...set, platformLines].join("\n"), place));
    const { stdout } = await expectSuccess(root.shell(preview, place));
    expect(stdout).toMatch(created);
  });
});

// A first time: nothing is compiled yet, and no package is in a cache.
describe("another language: the minimal example", { timeout: 1_500_000 }, () => {
  let sdks: string;
  /** Brings the plugin without Pulumi's CLI, as the release's notes say. */
  let plugin: string;
  // The projects of all languages have one name.
  const ownState = 'export PULUMI_BACKEND_URL="file://$PWD"';
  const withPlugin = `${ownState}\nexport PATH="$(npm prefix --global)/bin:$PATH"`;

  beforeAll(async () => {
    sdks = await sdksIn(folder);
    const notes = await readFile(join(release, "NOTES.md"), "utf8");
    plugin =
      /`(npm install --global @drawbridge-iac\/drawbridge@\S+)`/.exec(notes)?.[1] ?? "not in the notes";
  });

  /** A folder with the example, a stack and its values. */
  async function example(language: string, ...files: string[]): Promise<string> {
    const place = `${home}/minimal-${language}`;
    await root.copy(join("examples/minimal", language), place);
    for (const [name, text] of Object.entries(await programFiles(...files)))
      await root.write(`${place}/${name}`, text);
    const readme = await pageBlock("examples/minimal/README.md", "sh", "npm install");
    const set = readme.replace(/^npm install\n/, "").replace(/^pulumi up[\s\S]*/m, "");
    const lines = `${ownState}\n${set.replace("stack init dev", "stack init test")}`;
    await expectSuccess(root.shell(lines, place));
    return place;
  }

  it("in Python", async () => {
    const place = await example("python", "example.py");
    await cp(join(sdks, wheelFile(version)), join(root.folder, place, wheelFile(version)));
    const install = `${plugin}
python3 -m venv venv
venv/bin/pip install --quiet ./${wheelFile(version)} ${kubernetesPython}`;
    await expectSuccess(root.shell(install, place, false));
    const lines = `${withPlugin}\n${noCluster} venv/bin/python example.py __main__.py .`;
    expect((await expectSuccess(root.shell(lines, place))).stdout).toMatch(created);
  });

  it("in Go", async () => {
    const place = await example("go", "example.go");
    await goProxy(sdks, join(root.folder, home, "proxy"));
    // It may be on this machine's PATH alone.
    const { stdout: go } = await expectSuccess(run("which", [await goCommand(silentProgress)]));
    const get = await pageBlock("docs/languages.md", "sh", "go get ");
    await expectSuccess(root.shell(plugin, place, false));
    const lines = `go() { ${go.trim()} "$@"; }
export GOPROXY="file://${home}/proxy,$(go env GOPROXY)" GONOSUMDB=github.com/drawbridge-iac/drawbridge
go mod init example.com/team
${get}go mod tidy
go build -o program .
${withPlugin}
${noCluster} ./program .`;
    expect((await expectSuccess(root.shell(lines, place))).stdout).toMatch(created);
  });

  it("in YAML, with a plugin that pulumi package add takes from a tag, once npm's registry gives it", async () => {
    const place = await example("yaml");
    const { "pulumi-language-yaml": host } = await ensureTools(["pulumi-language-yaml"], silentProgress);
    await symlink(host, join(root.folder, "opt/pulumi/pulumi-language-yaml"));
    const served = join(folder, "git");
    await mkdir(served);
    // Pulumi notes an address without its scheme, and takes one with a port for no address then.
    const at = { host: `127.48.${(process.pid >> 8) & 255}.${process.pid & 255}`, port: 443 };
    const server = await gitServer(served, `v${version}`, ["plugin"], at);
    await root.write(`${home}/git.crt`, server.ca.cert);
    const page = await pageBlock("docs/languages.md", "sh", "pulumi package add github.com");
    const add = page.replace("github.com/drawbridge-iac/drawbridge", server.address);
    expect(add).not.toBe(page);
    const trusting = `export SSL_CERT_FILE=${home}/git.crt NO_PROXY=${server.host}`;
    // Someone who has the project, and none of Pulumi's plugins yet.
    const colleague = `export PULUMI_HOME=${home}/colleague`;
    const before = await root.shell("cat Pulumi.yaml; ls -A", place);
    try {
      const nobody = "export npm_config_registry=http://127.0.0.1:1/ npm_config_fetch_retries=0";
      const refused = await root.shell(`${trusting}\n${nobody}\n${add}`, place);
      expect(refused.code).toBe(1);
      expect(`${refused.stdout}${refused.stderr}`).toContain("npm error code ECONNREFUSED");
      expect(await root.shell("cat Pulumi.yaml; ls -A", place)).toEqual(before);
      await expectSuccess(root.shell(`${trusting}\n${add}`, place));
      await expectSuccess(root.shell(`${colleague}\n${trusting}\npulumi install`, place));
    } finally {
      server.stop();
    }
    for (const somebody of ["", colleague]) {
      const lines = `${somebody}\n${ownState}\npulumi stack select test\n${preview}`;
      expect((await expectSuccess(root.shell(lines, place))).stdout).toMatch(created);
    }
  });
});

describe("npm, when it can't install", () => {
  const answering = createServer((_, response) => response.writeHead(403).end()).listen(0, "127.0.0.1");
  afterAll(() => answering.close());
  const forbidden = () => `--registry http://127.0.0.1:${(answering.address() as AddressInfo).port}/`;

  it.each<[string, string, () => string]>([
    ["of no registry", "ECONNREFUSED", () => "--registry http://127.0.0.1:1/ --fetch-retries=0"],
    ["of a registry that answers 403", "E403", forbidden],
    ["of a provider that is too old", "ERESOLVE", () => "@pulumi/kubernetes@4.29.0"],
  ])("%s: says so, writes nothing, and the page has the cure", async (_, code, words) => {
    const place = `${home}/${code}`;
    const lines = `mkdir ${place} && cd ${place} && npm install @drawbridge-iac/drawbridge ${words()}`;
    const { code: exit, stderr } = await root.shell(lines, home, false);
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(`npm error code ${code}`) });
    expect((await root.shell("ls -A", place)).stdout).toBe("");
    expect(await readFile("docs/troubleshooting.md", "utf8")).toContain(`\`npm error code ${code}\``);
  });
});
