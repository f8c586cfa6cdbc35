/** What the pages show, taken from them: programs compile, stack files are right, hooks and files of the guard work. */
import { globSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { run } from "../../scripts/lib/lab/lab.ts";
import { between, replaceBetween } from "../../scripts/lib/pages/marked-text.ts";
import { type Block, blocksOf, pageBlock, pages } from "../../scripts/lib/pages/page-blocks.ts";
import { componentNames } from "../../scripts/lib/plugin-schema.ts";
import { pulumiRelease } from "../support/engine/pulumi-release.ts";
import { engineTable } from "../support/stacks/engine-rows.ts";

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
let folder: string;
let cli: InstalledCli;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-pages-"));
  cli = await installCli();
});
afterAll(() => Promise.all([rm(folder, { recursive: true }), cli.remove()]));

describe("every TypeScript block", () => {
  // Inside the repository, where the packages are found.
  const project = resolve(`.drawbridge/pages-${process.pid}`);
  /** What the text around a fragment has. */
  const around = {
    config: "pulumi.Config",
    domain: "string",
    frp: "drawbridge.FrpServer",
    gateway: "drawbridge.SshGateway",
    loadBalancer: "drawbridge.LoadBalancerArgs",
  };

  /** A whole program of a fragment: its imports, the names that it takes as given, and what `…` leaves out. */
  function whole(text: string): string {
    const has = (name: string) => new RegExp(`\\b(const|let) ${name}\\b|import .*\\b${name}\\b`).test(text);
    const names = componentNames.filter((name) => !has(name));
    const given = Object.entries(around).filter(([name]) => !has(name));
    const written = text.split(/(?=\bnew \w+\()/).map((part) => {
      if (!/…(?![^"\n]*"(?:[^"\n]*"[^"\n]*")*[^"\n]*$)/m.test(part)) return part;
      const [, name = ""] = /^new (\w+)/.exec(part) ?? [];
      return part.replace(/…,?/, "").replace("{", `{ ...given<drawbridge.${name}Args>(),`);
    });
    return [
      `import { ${names.join(", ")} } from "@drawbridge-iac/drawbridge";`,
      'import type * as drawbridge from "@drawbridge-iac/drawbridge";',
      ...(/import \* as pulumi/.test(text) ? [] : ['import type * as pulumi from "@pulumi/pulumi";']),
      "declare function given<T>(): T;",
      ...given.map(([name, type]) => `declare const ${name}: ${type};`),
      written.join(""),
    ].join("\n");
  }

  async function all(): Promise<Block[]> {
    const found = await Promise.all(
      pages().map(async (page) => blocksOf(page, await readFile(page, "utf8"))),
    );
    return found.flat().filter(({ language }) => language === "ts");
  }
  afterAll(() => rm(project, { recursive: true, force: true }));

  const argument = /^(.*new (?:DevContainer|SshGateway|FrpServer)\([^{]*\{)/m;

  it("compiles, and would not with an argument that there is not, in fragments neither", async () => {
    const blocks = await all();
    expect(blocks.length).toBeGreaterThan(12);
    await mkdir(project, { recursive: true });
    const options = { noEmit: true, noUnusedLocals: false, types: ["node"] };
    const config = { extends: "../../tsconfig.base.json", compilerOptions: options, include: ["*.ts"] };
    await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
    // A page may name a file beside it.
    for (const file of globSync("docs/*.ts")) await copyFile(file, join(project, basename(file)));
    for (const { page, line, text } of blocks) {
      // A block that names its file is imported by others.
      const [, named] = /^\/\/ ([\w-]+\.ts)\n/.exec(text) ?? [];
      const file = named ?? `${page.replaceAll(/[/.]/g, "-")}-${line}.ts`;
      await writeFile(join(project, file), whole(text));
      const wrong = whole(text).replace(argument, "$1 nonsense: 1, ");
      if (argument.test(text)) await writeFile(join(project, `wrong-${file}`), wrong);
    }
    const tsc = ["-p", project, "--pretty", "false"];
    const { code, stdout, stderr } = await run("tsc", tsc, { timeoutSeconds: 300 });
    const lines = stdout.split("\n");
    const elsewhere = lines.filter((line) => /^\S/.test(line) && !/\/wrong-[^/]+\.ts\(/.test(line));
    expect({ code, stderr, elsewhere }).toEqual({ code: 2, stderr: "", elsewhere: [] });
    expect(lines.filter((line) => line.includes("'nonsense' does not exist in type")).length).toBe(
      blocks.filter(({ text }) => argument.test(text)).length,
    );
  });
});

describe("a stack file of a page", () => {
  const key = (text: string) => text.replaceAll("ssh-ed25519 AAAA… alice", publicKey);

  it.each([
    ["docs/stacks.md", "drawbridge:team:"],
    ["docs/stacks.md", "teams:"],
    ["docs/people.md", "people:"],
    ["docs/existing-workloads.md", "routes:"],
    ["docs/security.md", "drawbridge:platform:"],
    ["docs/root.md", "drawbridge:platform:"],
    ["docs/root.md", "drawbridge:team:"],
    ["docs/containers-inside.md", "drawbridge:platform:"],
    ["docs/containers-inside.md", "drawbridge:team:"],
  ])("%s, %s", async (page, mark) => {
    const file = join(folder, "Pulumi.page.yaml");
    await writeFile(file, key(await pageBlock(page, "yaml", mark)));
    expect(await cli.run(["validate", file])).toMatchObject({ code: 0, stderr: "" });
  });

  it("docs/stacks.md shows the very words about two mistakes in the file that ships", async () => {
    const shown = await pageBlock("docs/stacks.md", "text", "2 faults in its arguments");
    const file = join(folder, "Pulumi.team-a.yaml");
    const right = await readFile("stacks/Pulumi.team-a.yaml", "utf8");
    const wrong = right
      .replace("home: { size: 20Gi }", "home: { size: 20 gigabytes }")
      .replace("storage: models", "storage: modles");
    await writeFile(file, wrong);
    const { code, stdout } = await cli.run(["validate", file]);
    expect(code).toBe(1);
    expect(stdout).toContain(shown.split("\n").slice(1).join("\n").trimEnd());
  });
});

describe("the commands of docs/stacks.md", () => {
  it("make both stacks, set their secrets, and leave files that are right and hold no secret in plain", async () => {
    const project = join(folder, "project");
    await mkdir(join(project, "stacks"), { recursive: true });
    const files = ["Pulumi.yaml", "stacks/Pulumi.platform.yaml", "stacks/Pulumi.team-a.yaml"];
    for (const file of files) await copyFile(file, join(project, file));
    const env = {
      ...(await pulumiRelease(join(folder, "pulumi"))),
      PATH: [join(folder, "pulumi"), cli.env.PATH].join(delimiter),
      PULUMI_BACKEND_URL: `file://${project}`,
      PULUMI_CONFIG_PASSPHRASE: "only for tests",
    };
    const shell = (lines: string) =>
      run("bash", ["--norc", "-euo", "pipefail", "-c", lines], { cwd: project, env, timeoutSeconds: 120 });
    const lines = await pageBlock("docs/stacks.md", "sh", "pulumi stack init platform");
    const values = lines.split("\n").filter((line) => /^pulumi (stack init|config set) /.test(line));
    expect(values.length).toBe(4);
    expect(await shell(values.join("\n"))).toMatchObject({ code: 0 });
    const team = join(project, "stacks/Pulumi.team-a.yaml");
    const browsed = (await readFile(team, "utf8")).replace(/enabled: false/, "enabled: true");
    await writeFile(team, browsed);
    const user =
      "pulumi config set --path 'drawbridge:team.storages.models.browse.credentials[0].user' alice";
    const password = await pageBlock("docs/stacks.md", "sh", "pulumi config set --path");
    expect(await shell(`${user}\n${password}`)).toMatchObject({ code: 0 });
    for (const file of files.slice(1)) {
      expect(await readFile(join(project, file), "utf8")).toMatch(/secure: v1:/);
      expect(await shell(`drawbridge validate ${file}`)).toMatchObject({ code: 0, stderr: "" });
    }
  });
});

describe("a hook of docs/stacks.md", () => {
  it("as .git/hooks/pre-commit lets a right file in and keeps a wrong one out", async () => {
    const repository = join(folder, "repository");
    const git = (...args: string[]) =>
      run("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
        env: cli.env,
      });
    await mkdir(join(repository, "stacks"), { recursive: true });
    await git("init", "--quiet");
    const hook = await pageBlock("docs/stacks.md", "sh", "git diff --cached");
    await writeFile(join(repository, ".git/hooks/pre-commit"), `#!/bin/sh\n${hook}`, { mode: 0o755 });
    const right = await readFile("stacks/Pulumi.team-a.yaml", "utf8");
    const commit = async (text: string) => {
      await writeFile(join(repository, "stacks/Pulumi.team-a.yaml"), text);
      await git("add", "--all");
      return (await git("commit", "--quiet", "--message", "change")).code;
    };
    expect(await commit(right)).toBe(0);
    expect(await commit(right.replace("20Gi", "20 gigabytes"))).toBe(1);
    expect(await commit(right.replace("20Gi", "30Gi"))).toBe(0);
  });

  it("for pre-commit names the command and the files that ship", async () => {
    const { repos } = parse(await pageBlock("docs/stacks.md", "yaml", "drawbridge-validate")) as {
      repos: { hooks: { entry: string; files: string; language: string }[] }[];
    };
    const [hook] = repos[0]?.hooks ?? [];
    const files = [
      "Pulumi.yaml",
      "stacks/Pulumi.team-a.yaml",
      "stacks/main.ts",
      "stacks/Pulumi.platform.yaml",
    ];
    const chosen = files.filter((file) => new RegExp(hook?.files ?? "").test(file));
    expect(chosen).toEqual(["stacks/Pulumi.team-a.yaml", "stacks/Pulumi.platform.yaml"]);
    const command = `${hook?.entry} ${chosen.join(" ")}`;
    expect(await run("sh", ["-c", command], { env: cli.env })).toMatchObject({ code: 0, stderr: "" });
    const shell = await pageBlock("docs/stacks.md", "sh", "drawbridge validate stacks");
    expect(await run("sh", ["-c", shell], { env: cli.env })).toMatchObject({ code: 0, stderr: "" });
  });
});

// Each row is run in test/long/root-containers.test.ts; with DRAWBRIDGE_WRITE_DOCS=1 this writes the page's table.
it("docs/containers-inside.md has a row for everything that is run by podman and docker", async () => {
  const [page, name] = ["docs/containers-inside.md", "rows of an engine"];
  const text = await readFile(page, "utf8");
  if (process.env.DRAWBRIDGE_WRITE_DOCS === "1")
    await writeFile(page, replaceBetween(text, name, engineTable()));
  expect(between(await readFile(page, "utf8"), name)).toBe(engineTable());
});
