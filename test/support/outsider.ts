/** A project of somebody else: a folder that knows nothing of this repository, with the packages as npm publishes them. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentProgress } from "../../packages/lab/src/progress.ts";
import { pulumiTools } from "../../packages/lab/src/pulumi.ts";
import { type Outcome, run } from "./lab.ts";

/** Packages that the project uses, and whatever they need of this repository. */
const packages = ["manifests", "components", "preview-guard"];

const timeoutSeconds = 600;

export class OutsiderProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** An empty project with the packages, packed and installed. */
  static async create(): Promise<OutsiderProject> {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-outsider-"));
    const project = new OutsiderProject(folder);
    const packed = join(folder, "packed");
    await expectSuccess(
      run(process.execPath, ["scripts/build.ts", ...packages, "--pack", packed], { timeoutSeconds }),
    );
    await project.write("package.json", JSON.stringify({ type: "module", private: true }));
    const tarballs = (await readdir(packed)).map((name) => join(packed, name));
    const { devDependencies: pinned } = JSON.parse(
      await readFile("packages/components/package.json", "utf8"),
    );
    const { devDependencies: tools } = JSON.parse(await readFile("package.json", "utf8"));
    // Nothing of an install needs to run: a plugin that one would download comes from the tests' own tools.
    const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const others = [
      `@pulumi/kubernetes@${pinned["@pulumi/kubernetes"]}`,
      `@pulumi/pulumi@${pinned["@pulumi/pulumi"]}`,
      `typescript@${tools.typescript}`,
      `@types/node@${tools["@types/node"]}`,
    ];
    await expectSuccess(project.run("npm", ["install", ...quiet, ...tarballs, ...others]));
    return project;
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), text);
  }

  /** Runs a program there, without this repository's way of finding the packages' sources. */
  run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
    return run(command, args, { cwd: this.folder, env: { NODE_OPTIONS: "", ...env }, timeoutSeconds });
  }

  /** Runs one of the programs that its packages brought. */
  bin(name: string, ...args: string[]): Promise<Outcome> {
    return this.run(join("node_modules", ".bin", name), args);
  }

  /** Previews `index.ts`, whose exports are the stack's outputs. The preview's events, one a line. */
  async preview(config: Readonly<Record<string, { value: string; secret?: boolean }>>): Promise<Outcome> {
    const { env } = await pulumiTools(silentProgress);
    const state = join(this.folder, "state");
    await mkdir(state, { recursive: true });
    await this.write("preview.mjs", previewProgram);
    return this.run(process.execPath, ["preview.mjs", JSON.stringify(config)], {
      ...env,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: "only for tests",
    });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

// In the place of Pulumi's Node language host, which the tests do without.
const previewProgram = `
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";

const program = async () => ({ ...(await import("./index.ts")) });
const stack = await LocalWorkspace.createOrSelectStack({ stackName: "dev", projectName: "outsider", program });
await stack.setAllConfig(JSON.parse(process.argv[2]));
await stack.preview({ onEvent: (event) => console.log(JSON.stringify(event)) });
`;

async function expectSuccess(outcome: Promise<Outcome>): Promise<void> {
  const { code, stdout, stderr } = await outcome;
  if (code !== 0) throw new Error(`exit code ${code}\n${stdout}${stderr}`);
}
