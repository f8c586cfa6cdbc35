/**
 * The first steps as README and docs/start.md have them, in a fresh clone, and the lines by which the pages install
 * something, from a registry that has what the clone's dry run made.
 */
import { spawn } from "node:child_process";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import { freePort } from "../../scripts/lib/free-port.ts";
import { eventually, expectSuccess, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { projectVersion } from "../../scripts/lib/versions.ts";
import { pulumiRelease } from "../support/engine/pulumi-release.ts";
import { publishedPackages } from "../support/release/outsider.ts";
import { Registry } from "./registry.fixture.ts";

const version = projectVersion();
const folder = temporaryFolder();
let env: Record<string, string>;

beforeAll(async () => {
  const home = join(folder, "home");
  await mkdir(join(home, ".ssh"), { recursive: true });
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice\n";
  await writeFile(join(home, ".ssh", "id_ed25519.pub"), key);
  // What the tests start with is no part of a stranger's shell, but a Node that is new enough is.
  const node = join(folder, "node");
  await mkdir(node);
  await symlink(process.execPath, join(node, "node"));
  const path = (process.env.PATH ?? "").split(delimiter).filter((place) => !place.startsWith(process.cwd()));
  env = {
    ...(await pulumiRelease(join(folder, "pulumi"))),
    PATH: [join(folder, "global", "bin"), node, ...path].join(delimiter),
    NODE_OPTIONS: "",
    HOME: home,
    // npm tells its children of the one that runs the tests.
    npm_config_userconfig: join(home, ".npmrc"),
    npm_config_prefix: join(folder, "global"),
    npm_config_cache: join(process.env.HOME ?? "/root", ".npm"),
    PULUMI_BACKEND_URL: `file://${home}`,
    PULUMI_CONFIG_PASSPHRASE: "only for tests",
    PULUMI_K8S_KUBECONFIG: unreachableKubeconfig,
    KUBECONFIG: "/nonexistent",
  };
});

/** Runs a page's lines in a folder below the test's own. */
function shell(lines: string, cwd = ".", programs = ""): Promise<Outcome> {
  // Without this bash takes Node's pipe for a login from afar, and reads files whose lines -u refuses.
  return run("bash", ["--norc", "-euo", "pipefail", "-c", lines], {
    cwd: join(folder, cwd),
    env: { ...env, PATH: [programs, env.PATH].join(delimiter) },
    timeoutSeconds: 1200,
  });
}

/** The same with Pulumi. An installation goes without: npm's package of the provider would download it. */
const withPulumi = (lines: string, cwd: string) => shell(lines, cwd, join(folder, "pulumi"));

const created = / drawbridge:index:DevContainer +dev1 +create/;

// `npm ci` and the build of all packages, from nothing.
describe("from a clone", { timeout: 1_500_000 }, () => {
  it("the README's lines make the packages and install them", async () => {
    const lines = await pageBlock("README.md", "sh", "git clone");
    await mkdir(join(folder, "project"));
    await expectSuccess(shell(lines.replace("<this repository>", process.cwd()), "project"));
    expect((await readdir(join(folder, "project", "node_modules", "@drawbridge-iac"))).sort()).toEqual(
      publishedPackages,
    );
  });

  it("docs/start.md's lines make a project, in which the README's program compiles and previews", async () => {
    await expectSuccess(shell(await pageBlock("docs/start.md", "sh", "npm init"), "drawbridge"));
    const files = {
      "Pulumi.yaml": await pageBlock("docs/start.md", "yaml", "runtime:"),
      "tsconfig.json": await pageBlock("docs/start.md", "json", "nodenext"),
      "index.ts": await pageBlock("README.md", "ts", "new DevContainer"),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, "dev", name), text);
    await expectSuccess(shell("node_modules/.bin/tsc", "dev"));
    const lines = await pageBlock("docs/start.md", "sh", "pulumi stack init dev");
    const [set, up] = lines.split(/^pulumi up\n/m);
    expect(up?.trim()).toBe("drawbridge ssh-config && ssh dev1");
    await expectSuccess(withPulumi(set ?? "", "dev"));
    const { stdout } = await expectSuccess(withPulumi("pulumi preview", "dev"));
    expect(stdout).toMatch(created);
    const { stdout: said } = await expectSuccess(shell("node_modules/.bin/drawbridge --version", "dev"));
    expect(said).toBe(`${version}\n`);
  });

  it.each(["npx --offline drawbridge --version", "sh scripts/run drawbridge --version"])(
    "the command runs from its sources: %s",
    async (line) => {
      const { stdout } = await expectSuccess(shell(line, "drawbridge"));
      expect(stdout).toBe(`${version}\n`);
    },
  );
});

describe("an installation from npm", () => {
  let registry: Registry | undefined;
  beforeAll(async () => {
    registry = await Registry.start(join(folder, "registry"), join(folder, "drawbridge/release/npm"));
    await writeFile(join(folder, "home", ".npmrc"), registry.settings);
  });
  afterAll(() => registry?.stop());

  it.each([
    ["docs/developers.md", "npm install --global"],
    ["packages/cli/README.md", "drawbridge doctor"],
  ])("of the command: %s", async (page, mark) => {
    const [line = ""] = (await pageBlock(page, "sh", mark)).split("\n");
    await rm(join(folder, "global"), { recursive: true, force: true });
    await expectSuccess(shell(line));
    expect(await shell("drawbridge --version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it.each([
    ["docs/existing-code.md", "npm install ./archives"],
    ["packages/drawbridge/README.md", "npm install @drawbridge-iac/drawbridge"],
  ])("of the components: %s", async (page, mark) => {
    const place = `components-${page.replaceAll("/", "-")}`;
    await mkdir(join(folder, place));
    await symlink(join(folder, "dev", "archives"), join(folder, place, "archives"));
    await expectSuccess(shell(await pageBlock(page, "sh", mark), place));
    const names = 'Object.keys(await import("@drawbridge-iac/drawbridge")).includes("DevContainer")';
    const ask = `node --input-type=module -e 'console.log(${names})'`;
    expect((await expectSuccess(shell(ask, place))).stdout).toBe("true\n");
  });

  it("of frp's authorizer, which answers with the file of its page", async () => {
    const page = "packages/controllers/README.md";
    const [install = "", start = ""] = (await pageBlock(page, "sh", "npm install --global")).split("\n");
    await expectSuccess(shell(install));
    const units = (await pageBlock(page, "json", "tokenSha256")).replace("…", "0".repeat(64));
    await writeFile(join(folder, "units.json"), units);
    const [command = "", ...args] = start.replace(/ +#.*/, "").split(" ");
    const [port, metrics] = [await freePort(), await freePort()];
    const places = ["--port", `${port}`, "--metrics-port", `${metrics}`];
    const child = spawn(join(folder, "global", "bin", command), [...args, ...places], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    try {
      const plugin = await pageBlock(page, "toml", "httpPlugins");
      const path = /^path = "(.*)"$/m.exec(plugin)?.[1] ?? "";
      const login = { version: "0.1.0", op: "Login", content: { user: "team-a.dev2", metas: {} } };
      const answer = await eventually("the authorizer", async () => {
        const asked = await fetch(`http://127.0.0.1:${port}${path}?op=Login`, {
          method: "POST",
          body: JSON.stringify(login),
        });
        return (await asked.json()) as { reject: boolean };
      });
      expect(answer.reject).toBe(true);
    } finally {
      child.kill();
    }
  });
});
