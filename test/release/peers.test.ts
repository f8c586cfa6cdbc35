/** The oldest of all that package.json allows: what users write compiles there, and previews with the oldest Node. */

import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { noCluster } from "../../scripts/lib/engine/engine.ts";
import { expectSuccess } from "../../scripts/lib/lab/lab.ts";
import { OutsiderProject } from "../support/release/outsider.ts";

const hostKeySeed = { value: "only-for-tests-0123456789abcdef0123456789abcdef", secret: true };
const needs = (await readdir("test/programs")).filter((file) => file.endsWith(".ts") && file !== "base.ts");
const {
  peerDependencies,
  engines,
  exports: entries,
} = JSON.parse(await readFile("packages/drawbridge/package.json", "utf8"));
const floor = (range: string) => /^(?:\^|>=)(\d+\.\d+(?:\.\d+)?)$/.exec(range)?.[1] ?? `no floor: ${range}`;
const oldest = Object.fromEntries(
  Object.entries<string>(peerDependencies).map(([name, range]) => [name, floor(range)]),
);
const node = `${floor(engines.node)}.0`;
let project: OutsiderProject;

// The packages are compiled, checked, packed and installed.
beforeAll(async () => {
  project = await OutsiderProject.create({ ...oldest, node });
  const options = { strict: true, target: "es2024", module: "nodenext", skipLibCheck: true, noEmit: true };
  const compilerOptions = { ...options, allowImportingTsExtensions: true };
  await project.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  await cp("test/programs", project.folder, { recursive: true, filter: (file) => !file.endsWith(".yaml") });
}, 1_800_000);
afterAll(() => project.remove());

it("is what is installed", async () => {
  expect(Object.keys(oldest).sort()).toEqual([
    "@pulumi/kubernetes",
    "@pulumi/kubernetes-cert-manager",
    "@pulumi/pulumi",
  ]);
  const installed = Object.keys(oldest).map(async (name) => {
    const text = await readFile(join(project.folder, "node_modules", name, "package.json"), "utf8");
    return [name, JSON.parse(text).version];
  });
  expect(Object.fromEntries(await Promise.all(installed))).toEqual(oldest);
});

it("compiles what users write", async () => {
  expect(needs).toHaveLength(10);
  await project.write(
    "certificates.ts",
    'import { CertManager } from "@drawbridge-iac/drawbridge/cert-manager";\nexport const made = CertManager;\n',
  );
  await expectSuccess(project.bin("tsc", "-p", "."));
});

it("is required from CommonJS, without a warning", async () => {
  const names = Object.keys(entries).flatMap((path) =>
    /json|\*/.test(path) ? [] : [join("@drawbridge-iac/drawbridge", path)],
  );
  expect(names).toHaveLength(3);
  await project.write(
    "required.cjs",
    names.map((name) => `console.log(typeof require("${name}"));`).join("\n"),
  );
  const oldNode = join(project.folder, "node_modules", `node-linux-${process.arch}`, "bin", "node");
  expect(await project.run(oldNode, ["required.cjs"])).toEqual({
    code: 0,
    stdout: "object\n".repeat(3),
    stderr: "",
  });
});

it.each(needs)("previews %s", { timeout: 600_000 }, async (need) => {
  const isOldest = `if (process.version !== "v${node}") throw new Error(process.version);`;
  await project.write("index.ts", `export { default } from "./${need}";\n${isOldest}\n`);
  const { stdout } = await expectSuccess(project.preview({ hostKeySeed }, undefined, noCluster));
  const types = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).resourcePreEvent?.metadata.type as string | undefined);
  expect(types.filter((type) => type === "drawbridge:index:DevContainer")).toHaveLength(1);
  expect(types.filter((type) => type === "kubernetes:apps/v1:StatefulSet")).toHaveLength(1);
});
