/** A user's project: a folder outside of this repository, with the packages as npm publishes them. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { expectSuccess, type Outcome, run } from "../../../scripts/lib/lab/lab.ts";
import { pulumiRelease } from "../engine/pulumi-release.ts";

/** What is published, below `@drawbridge-iac`. */
export const publishedPackages = ["cli", "drawbridge", "preview-guard", "programs"];

/** The public address of a release in tests. */
export const repository = "example/drawbridge";

const timeoutSeconds = 600;

export class OutsiderProject {
  readonly folder: string;
  /** What the release's dry run made. */
  readonly release: string;
  /** The Node that runs the project's programs. */
  #node = process.execPath;
  #pulumi: Promise<Record<string, string>> | undefined;

  private constructor(folder: string) {
    this.folder = folder;
    this.release = join(folder, "release");
  }

  /**
   * An empty project with the packages of the release's dry run installed.
   * @param versions of their dependencies, where these differ from the repository's own; `node` is Node itself
   */
  static async create(versions: Readonly<Record<string, string>> = {}): Promise<OutsiderProject> {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-outsider-"));
    const project = new OutsiderProject(folder);
    const dryRun = ["scripts/release.ts", "--dry-run", "--only", "npm", "--out", project.release];
    const env = { DRAWBRIDGE_REPOSITORY: repository };
    await expectSuccess(run(process.execPath, dryRun, { env, timeoutSeconds }));
    await project.write("package.json", JSON.stringify({ type: "module", private: true }));
    const packed = join(project.release, "npm");
    const tarballs = (await readdir(packed)).map((name) => join(packed, name));
    const { devDependencies: pinned } = JSON.parse(
      await readFile("packages/drawbridge/package.json", "utf8"),
    );
    const { devDependencies: tools } = JSON.parse(await readFile("package.json", "utf8"));
    // Nothing of an install needs to run: a plugin that one would download comes from the tests' own tools.
    const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const { node, ...others }: Record<string, string | undefined> = {
      "@pulumi/kubernetes": pinned["@pulumi/kubernetes"],
      "@pulumi/pulumi": pinned["@pulumi/pulumi"],
      typescript: tools.typescript,
      "@types/node": tools["@types/node"],
      ...versions,
    };
    const ownNode = `node-linux-${process.arch}`;
    if (node !== undefined) {
      others[ownNode] = node;
      project.#node = join(project.folder, "node_modules", ownNode, "bin", "node");
    }
    const wanted = Object.entries(others).map(([name, version]) => `${name}@${version}`);
    await expectSuccess(project.run("npm", ["install", ...quiet, ...tarballs, ...wanted]));
    return project;
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), text);
  }

  /** Runs a program there, without this repository's way of finding the packages' sources. */
  run(
    command: string,
    args: readonly string[],
    options: { cwd?: string; env?: Record<string, string> } = {},
  ) {
    const { cwd = this.folder, env = {} } = options;
    return run(command, args, { cwd, env: { NODE_OPTIONS: "", ...env }, timeoutSeconds });
  }

  /** Runs one of the programs that its packages brought. */
  bin(name: string, ...args: string[]): Promise<Outcome> {
    return this.run(join("node_modules", ".bin", name), args);
  }

  /** The environment for Pulumi as a release brings it, with a file backend and a home of its own. */
  async pulumiEnv(): Promise<Record<string, string>> {
    const programs = join(this.folder, "pulumi");
    this.#pulumi ??= pulumiRelease(programs);
    const env = await this.#pulumi;
    const [state, home] = ["state", "home"].map((name) => join(this.folder, name)) as [string, string];
    await mkdir(state, { recursive: true });
    await mkdir(join(home, ".ssh"), { recursive: true, mode: 0o700 });
    const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice\n";
    await writeFile(join(home, ".ssh", "id_ed25519.pub"), key);
    return {
      ...env,
      PATH: [programs, process.env.PATH].join(delimiter),
      HOME: home,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: "only for tests",
    };
  }

  /** A folder inside the project with files copied into it, as users copy an example. */
  async copy(source: string): Promise<string> {
    // TypeScript looks into no folder whose name begins with a dot.
    const target = join(this.folder, ".copies", basename(source));
    await cp(source, target, { recursive: true, filter: (file) => basename(file) !== "node_modules" });
    return target;
  }

  /** Runs a page's shell lines in a folder. */
  async shell(lines: string, cwd: string, env: Record<string, string> = {}): Promise<Outcome> {
    return this.run("bash", ["--norc", "-euo", "pipefail", "-c", lines], {
      cwd,
      env: { ...(await this.pulumiEnv()), ...env },
    });
  }

  /**
   * Previews a program, whose exports are the stack's outputs, and prints the preview's events, one a line.
   * @param project its folder, with a Pulumi.yaml and a stack `dev` if its configuration is there already
   */
  async preview(
    config: Readonly<Record<string, { value: string; secret?: boolean }>>,
    project?: string,
    env: Record<string, string> = {},
  ): Promise<Outcome> {
    const runner = join(this.folder, "preview.mjs");
    await writeFile(runner, previewProgram);
    const where = project === undefined ? ["outsider"] : [await projectName(project), project];
    return this.run(this.#node, [runner, JSON.stringify(config), ...where], {
      cwd: project ?? this.folder,
      env: { ...(await this.pulumiEnv()), ...env },
    });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

async function projectName(folder: string): Promise<string> {
  const text = await readFile(join(folder, "Pulumi.yaml"), "utf8");
  return /^name: (\S+)$/m.exec(text)?.[1] ?? basename(dirname(folder));
}

// In the place of Pulumi's Node language host, which the tests do without; it treats exports as that does.
const previewProgram = `
import { pathToFileURL } from "node:url";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";

const [config, projectName, workDir] = process.argv.slice(2);
const program = async () => {
  const { default: main, ...exports } = await import(pathToFileURL(process.cwd() + "/index.ts").href);
  return typeof main === "function" ? main() : exports;
};
const options = workDir === undefined ? {} : { workDir };
const stack = await LocalWorkspace.createOrSelectStack({ stackName: "dev", projectName, program }, options);
await stack.setAllConfig(JSON.parse(config));
await stack.preview({ onEvent: (event) => console.log(JSON.stringify(event)) });
`;
