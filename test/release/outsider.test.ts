/** Someone with nothing but the documentation and the packages that a release publishes. */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noCluster, unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";
import { expectSuccess, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { projectVersion } from "../../scripts/lib/versions.ts";
import { OutsiderProject, publishedPackages, repository } from "../support/release/outsider.ts";
import { type Exports, exportsOf } from "./installed-exports.fixture.ts";

const hostKeySeed = "only-for-tests-0123456789abcdef0123456789abcdef";
const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const version = projectVersion();
const certManager = "@drawbridge-iac/drawbridge/cert-manager";
let project: OutsiderProject;

// The packages are compiled, checked, packed and installed.
beforeAll(async () => {
  project = await OutsiderProject.create();
  await project.write("tsconfig.json", await pageBlock("docs/start.md", "json", "nodenext"));
}, 1_800_000);
afterAll(() => project.remove());

describe("the dry run's folder", () => {
  it("holds every package once, and a checksum for each file that is right", async () => {
    const tarballs = publishedPackages.map((name) => `drawbridge-iac-${name}-${version}.tgz`);
    expect((await readdir(join(project.release, "npm"))).sort()).toEqual(tarballs);
    const lines = (await readFile(join(project.release, "SHA256SUMS"), "utf8")).trim().split("\n");
    expect(lines.map((line) => line.split("  ")[1]).sort()).toEqual(
      [...tarballs, "NOTES.md", `drawbridge-${version}.cdx.json`].sort(),
    );
    for (const line of lines) {
      const [hash, name = ""] = line.split("  ");
      const file = name.endsWith(".tgz") ? join(project.release, "npm", name) : join(project.release, name);
      expect(
        createHash("sha256")
          .update(await readFile(file))
          .digest("hex"),
      ).toBe(hash);
    }
  });

  it("installs packages without tests, sources, or conditions of the repository; the command has no dependency", async () => {
    const scope = join(project.folder, "node_modules", "@drawbridge-iac");
    expect((await readdir(scope)).sort()).toEqual(publishedPackages);
    for (const name of await readdir(scope)) {
      expect((await readdir(join(scope, name))).sort()).toEqual([
        "CHANGELOG.md",
        "LICENSE",
        ...(name === "drawbridge" ? ["PulumiPlugin.yaml"] : []),
        ...(name === "preview-guard" ? ["PulumiPolicy.yaml"] : []),
        "README.md",
        ...(name === "programs" ? [] : ["bin"]),
        ...(name === "programs" ? ["dashboard-egress.json", "dashboard.json"] : []),
        "dist",
        "package.json",
        ...(name === "drawbridge" ? ["stacks.schema.json"] : []),
      ]);
      const files = await readdir(join(scope, name, "dist"), { recursive: true });
      for (const file of files.filter((file) => /\.(c?js|ts)$/.test(file)))
        expect(await readFile(join(scope, name, "dist", file), "utf8")).not.toContain(
          "@drawbridge-iac/manifests",
        );
      expect(files.filter((file) => /\.test|\.fixture|(?<!\.d)\.ts$/.test(file))).toEqual([]);
      const text = await readFile(join(scope, name, "package.json"), "utf8");
      expect(text).not.toContain("@drawbridge/source");
      expect(JSON.parse(text)).toMatchObject({ version, license: "Apache-2.0" });
    }
    const { dependencies } = JSON.parse(await readFile(join(scope, "cli", "package.json"), "utf8"));
    expect(dependencies).toBeUndefined();
  });

  // A name that is added there is promised to users: one that goes breaks their programs, and needs a line in the changelog.
  it("gives users what test/recorded/exports.json lists, with types, and nothing else", async () => {
    const importable: Record<string, Exports> = JSON.parse(
      await readFile("test/recorded/exports.json", "utf8"),
    );
    expect(exportsOf(project.folder, Object.keys(importable))).toEqual(importable);
    const { [certManager]: _, ...others } = importable;
    const values = Object.keys(others).map((entry) => `"${entry}": Object.keys(await import("${entry}"))`);
    await project.write("values.mjs", `console.log(JSON.stringify({ ${values.join(", ")} }));\n`);
    const { stdout } = await expectSuccess(project.run(process.execPath, ["values.mjs"]));
    expect(JSON.parse(stdout)).toEqual(
      Object.fromEntries(Object.entries(others).map(([entry, { values }]) => [entry, values])),
    );
  });

  it("loads the package of cert-manager, which is not there, for its own entry alone", async () => {
    await project.write("certificates.mjs", `await import("${certManager}");\n`);
    const { code, stderr } = await project.run(process.execPath, ["certificates.mjs"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Cannot find package '@pulumi/kubernetes-cert-manager'");
  });

  it("lists what is inside, also what is bundled into the command", async () => {
    const sbom = JSON.parse(await readFile(join(project.release, `drawbridge-${version}.cdx.json`), "utf8"));
    const names = (sbom.components as { name: string }[]).map(({ name }) => name);
    expect(sbom.bomFormat).toBe("CycloneDX");
    expect(names).toEqual(
      expect.arrayContaining(["zod", "commander", "ws", "@kubernetes/client-node", "node"]),
    );
    expect(names.filter((name) => ["vitest", "@pulumi/pulumi"].includes(name))).toEqual([]);
  });
});

describe("npm", () => {
  const published = publishedPackages.map((name) => [name] as const);

  // That a registry takes it is shown by `fresh-root.test.ts`.
  it.each(published)("is told by %s what provenance demands", async (name) => {
    const text = await readFile(join(project.folder, "node_modules/@drawbridge-iac", name, "package.json"));
    const { private: isPrivate, ...described } = JSON.parse(text.toString());
    expect(isPrivate).toBeUndefined();
    expect(described).toMatchObject({
      homepage: `https://github.com/${repository}#readme`,
      bugs: `https://github.com/${repository}/issues`,
      // What the registry compares with the workflow's own address, and refuses with E422.
      repository: { type: "git", url: `git+https://github.com/${repository}.git` },
      publishConfig: { access: "public", provenance: true },
    });
    const { directory } = described.repository;
    expect(JSON.parse(await readFile(join(directory, "package.json"), "utf8")).name).toBe(described.name);
  });

  it("is offered no whole release without a public address", async () => {
    const words = ["scripts/release.ts", "--dry-run", "--out", join(project.folder, "whole")];
    const env = { NODE_OPTIONS: process.env.NODE_OPTIONS ?? "", GITHUB_REPOSITORY: repository };
    const refused = await project.run(process.execPath, words, {
      cwd: process.cwd(),
      env: { ...env, DRAWBRIDGE_REPOSITORY: "another/one" },
    });
    expect({ ...refused, stderr: refused.stderr.split(", and ")[0] }).toEqual({
      code: 1,
      stdout: "",
      stderr: "release: package.json names the repository another/one",
    });
    expect(existsSync(join(project.folder, "whole"))).toBe(false);
  });
});

describe("the command", () => {
  it("has one sentence for an old Node", async () => {
    await project.write("old.cjs", 'Object.defineProperty(process.versions, "node", { value: "20.19.4" });');
    const program = join("node_modules", ".bin", "drawbridge");
    const outcome = await project.run(process.execPath, ["--require", "./old.cjs", program, "list"]);
    expect(outcome).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "drawbridge: this is Node 20.19.4; drawbridge needs 22.18 or newer. Install a newer Node, then run it again.\n",
    });
  });
});

describe("the README's program", () => {
  it("is what docs/start.md brings up with the same commands", async () => {
    const [set, up] = await Promise.all([
      pageBlock("README.md", "sh", "pulumi config set"),
      pageBlock("README.md", "sh", "pulumi up"),
    ]);
    const words = (text: string) =>
      text
        .replaceAll(/ +#.*$/gm, "")
        .trim()
        .split("\n");
    const start = await pageBlock("docs/start.md", "sh", "pulumi stack init dev");
    expect(words(start)).toEqual(["pulumi stack init dev", ...words(set), ...words(up)]);
  });
});

describe("an outsider's program, as the docs have it", () => {
  beforeAll(async () => {
    await project.write("index.ts", await pageBlock("docs/existing-code.md", "ts", "new DevContainer"));
    await project.write("Pulumi.yaml", await pageBlock("docs/start.md", "yaml", "runtime:"));
    await project.write("tsconfig.json", await pageBlock("docs/start.md", "json", "nodenext"));
  });

  it("compiles under strict, and not with a misspelt argument", async () => {
    expect(await project.bin("tsc", "-p", ".")).toEqual({ code: 0, stdout: "", stderr: "" });
    const right = await readFile(`${project.folder}/index.ts`, "utf8");
    await project.write("index.ts", right.replace("authorizedKeys:", "authorisedKeys:"));
    const { code, stdout } = await project.bin("tsc", "-p", ".");
    await project.write("index.ts", right);
    expect(code).toBe(2);
    expect(stdout).toContain("'authorisedKeys' does not exist in type 'DevContainerArgs'");
  });

  it("compiles as the examples are written, in several files", async () => {
    const before = await readFile(`${project.folder}/index.ts`, "utf8");
    for (const file of ["index.ts", "tenant.ts"])
      await project.write(file, await readFile(join("examples/existing-code", file), "utf8"));
    expect(await project.bin("tsc", "-p", ".")).toEqual({ code: 0, stdout: "", stderr: "" });
    await rm(join(project.folder, "tenant.ts"));
    await project.write("index.ts", before);
  });

  it.each(["docs/preview-guard.md", "packages/guard/README.md"])(
    "is judged by the commands of %s, and by the files that docs/preview-guard.md shows",
    async (page) => {
      await project.write("index.ts", await pageBlock("docs/existing-code.md", "ts", "new DevContainer"));
      await expectSuccess(project.shell("pulumi stack init judged", project.folder));
      const values = { publicKey, hostKeySeed, kubeconfig: unreachableKubeconfig };
      const set = Object.keys(values).map((name) => `pulumi config set --secret ${name} "$${name}"`);
      const plain = set.map((line) => line.replace("--secret publicKey", "publicKey"));
      await expectSuccess(project.shell(plain.join("\n"), project.folder, values));
      const commands = await pageBlock(page, "sh", "drawbridge-preview-guard");
      const judge = (more = "") =>
        project.shell(`set +e\n${commands.trim()}${more}`, project.folder, noCluster);
      try {
        await expectSuccess(judge());
        // Everybody's key must belong to someone once people are named: alice's here is another one.
        const bounds = await pageBlock("docs/preview-guard.md", "yaml", "people:");
        const real = bounds.replace("SHA256:…", "SHA256:hWiiFCdFrWMlecdWRDRKs1WCY90fN1/6wqemuALhdmA");
        await project.write("bounds.yaml", real);
        await expectSuccess(judge(" --bounds bounds.yaml"));
        await project.write("bounds.yaml", real.replace(/^ {2}alice: .*\n/m, ""));
        expect((await judge(" --bounds bounds.yaml")).code).toBe(1);
        // What the platform accepted by an entry of the page's form.
        const entry = await pageBlock("docs/preview-guard.md", "yaml", "- rule: network-wall");
        const soon = new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString().slice(0, 10);
        const accepted = entry
          .replace(/^- rule: .*$/m, "- rule: unnamed-key")
          .replace(/^ {2}object: .*$/m, '  object: "*"')
          .replace(/^ {2}what: .*$/m, '  what: "*belongs to nobody whom the platform names"')
          .replace(/until: .*/, `until: ${soon}`);
        await project.write("accepted.yaml", accepted);
        await expectSuccess(judge(" --bounds bounds.yaml --accept-file accepted.yaml"));
      } finally {
        await project.shell("pulumi stack rm --yes --force judged", project.folder);
      }
    },
  );
});

describe("a part of the release that is made later", () => {
  it("leaves the others in the folder, with the checksums of all", async () => {
    const words = ["scripts/release.ts", "--dry-run", "--only", "sdks", "--out", project.release];
    await expectSuccess(run(process.execPath, words, { timeoutSeconds: 900 }));
    const made = [
      ...(await readdir(join(project.release, "npm"))),
      ...(await readdir(join(project.release, "sdks"))),
    ];
    expect(made).toHaveLength(publishedPackages.length + 2);
    const sums = await readFile(join(project.release, "SHA256SUMS"), "utf8");
    const named = sums
      .trim()
      .split("\n")
      .map((line) => line.split("  ")[1]);
    expect(named.sort()).toEqual([...made, "NOTES.md", `drawbridge-${version}.cdx.json`].sort());
  }, 900_000);
});
