/**
 * The projects that people have: what `pulumi new kubernetes-typescript` made over two years, an ES module, JavaScript,
 * and a program that was compiled before. Each takes the README's program and every entry of the packages, with nothing
 * of its own changed: types without `skipLibCheck`, and a preview by `pulumi` itself.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noCluster } from "../../scripts/lib/engine/engine.ts";
import { expectSuccess } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { OutsiderProject } from "../support/release/outsider.ts";

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const hostKeySeed = "only-for-tests-0123456789abcdef0123456789abcdef";

/** Compilers by the names under which they are installed beside each other; `typescript` runs the programs. */
const compilers = {
  oldest: "npm:typescript@4.9.5",
  five: "npm:typescript@5.0.4",
  typescript: "5.9.3",
  six: "npm:typescript@6.0.3",
} as const;
type Compiler = keyof typeof compilers;

const options = {
  strict: true,
  outDir: "bin",
  target: "es2020",
  sourceMap: true,
  experimentalDecorators: true,
  pretty: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};
const commonJs = { ...options, module: "commonjs", moduleResolution: "node" };
const nodeNext = { ...options, module: "nodenext", moduleResolution: "nodenext" };
const withoutTypeScript = { name: "nodejs", options: { typescript: false } };

interface Template {
  /** Of package.json. */
  readonly about: object;
  readonly runtime: string | object;
  readonly compilerOptions?: object;
  readonly checkedBy: readonly Compiler[];
}

const templates: Readonly<Record<string, Template>> = {
  "the template since March 2026": {
    about: { main: "index.ts" },
    runtime: "nodejs",
    compilerOptions: nodeNext,
    checkedBy: ["five", "six"],
  },
  "the template of the two years before": {
    about: { main: "index.ts" },
    runtime: "nodejs",
    compilerOptions: commonJs,
    checkedBy: ["oldest", "typescript"],
  },
  "an ES module": {
    about: { main: "index.ts", type: "module" },
    runtime: withoutTypeScript,
    compilerOptions: nodeNext,
    checkedBy: ["six"],
  },
  "the template in JavaScript": { about: { main: "index.js" }, runtime: withoutTypeScript, checkedBy: [] },
  "a compiled program": {
    about: { main: "bin/index.js" },
    runtime: withoutTypeScript,
    compilerOptions: commonJs,
    // Compiling it is a check, too.
    checkedBy: [],
  },
};

let project: OutsiderProject;
let program: string;

beforeAll(async () => {
  const { devDependencies } = JSON.parse(await readFile("packages/drawbridge/package.json", "utf8"));
  const certManager = "@pulumi/kubernetes-cert-manager";
  project = await OutsiderProject.create({
    [certManager]: devDependencies[certManager],
    "@types/node": "^18",
    ...compilers,
  });
  program = `${await pageBlock("README.md", "ts", "new DevContainer")}
import { CertManager } from "@drawbridge-iac/drawbridge/cert-manager";
import { program as stacks } from "@drawbridge-iac/drawbridge/stacks";
import { type Bounds, judge, noBounds } from "@drawbridge-iac/preview-guard";
const bounds: Bounds = noBounds;
export const entries = [CertManager.name, stacks.name, judge.name, bounds.openSessions];
export const proxy = gateway.children.proxy?.metadata.name;
`;
}, 1_800_000);
afterAll(() => project.remove());

describe.each(Object.entries(templates))("%s", (name, { about, runtime, compilerOptions, checkedBy }) => {
  const id = name.replaceAll(" ", "-").toLowerCase();
  let folder: string;
  const write = (file: string, content: string | object) =>
    writeFile(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
  const tsc = (compiler: Compiler, ...words: string[]) => {
    const compile = join(project.folder, "node_modules", compiler, "lib", "tsc.js");
    return project.run(process.execPath, [compile, "-p", ".", "--pretty", "false", ...words], {
      cwd: folder,
    });
  };

  beforeAll(async () => {
    folder = join(project.folder, ".templates", id);
    await mkdir(folder, { recursive: true });
    await write("package.json", { name: id, private: true, ...about });
    await write("Pulumi.yaml", { name: id, runtime });
    if (compilerOptions === undefined) {
      const { CommonJS: module } = ts.ModuleKind;
      await write("index.js", ts.transpileModule(program, { compilerOptions: { module } }).outputText);
      return;
    }
    await write("tsconfig.json", { compilerOptions, files: ["index.ts"] });
    await write("index.ts", program);
  });

  if (checkedBy.length > 0)
    it.each(checkedBy)("is checked by %s", async (compiler) => {
      expect(await tsc(compiler, "--noEmit")).toEqual({ code: 0, stdout: "", stderr: "" });
    });

  it("previews", async () => {
    if (name === "a compiled program") await expectSuccess(tsc("typescript"));
    const set = `pulumi stack init dev
pulumi config set image registry.example.com/team/devcontainer:0.1.0
pulumi config set publicKey "${publicKey}"
pulumi config set --secret hostKeySeed ${hostKeySeed}`;
    const preview = () => project.shell("pulumi preview", folder, noCluster);
    await expectSuccess(project.shell(set, folder));
    const { stdout } = await expectSuccess(preview());
    expect(stdout).toMatch(/ drawbridge:index:DevContainer +dev1 +create/);
    expect(stdout).toMatch(/\+ \d\d to create/);
    // A value that no schema takes: the library's own words reach a CommonJS program, too.
    await expectSuccess(project.shell("pulumi config set image 'x y'", folder));
    const refused = await preview();
    expect(refused.code).not.toBe(0);
    expect(`${refused.stdout}${refused.stderr}`).toContain('image: "x y" is not a pinned image');
  });
});
