import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { programFindings } from "./program.ts";

type Files = Readonly<Record<string, string>>;

async function found(before: Files, after: Files, link?: string) {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-guard-"));
  for (const [side, files] of Object.entries({ before, after }))
    for (const [name, text] of Object.entries({ "index.ts": side, ...files })) {
      await mkdir(dirname(join(folder, side, name)), { recursive: true });
      await writeFile(join(folder, side, name), text);
    }
  if (link !== undefined) await symlink("index.ts", join(folder, "after", link));
  try {
    const all = await programFindings(join(folder, "before"), join(folder, "after"));
    return all.map(({ object, text }) => `${object}: ${text.replace(/ \([0-9a-f]{40}\)$/, "")}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const project = "name: devs\nruntime: nodejs\n";
const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });

it.each([
  [
    "an analyzer",
    `${project}plugins:\n  analyzers:\n    - path: ./fake\n`,
    'plugins: none → {"analyzers":[{"path":"./fake"}]}',
  ],
  [
    "a package by an address",
    `${project}packages:\n  evil: https://evil.example.com/schema@1.0.0\n`,
    'packages: none → {"evil":"https://evil.example.com/schema@1.0.0"}',
  ],
  [
    "a provider and a language host by a path",
    `${project}plugins:\n  providers: [{ name: kubernetes, path: ./a }]\n  languages: [{ name: nodejs, path: ./b }]\n`,
    'plugins: none → {"providers":[{"name":"kubernetes","path":"./a"}],"languages":[{"name":"nodejs","path":"./b"}]}',
  ],
  ["another runtime", "name: devs\nruntime: python\n", 'runtime: "nodejs" → "python"'],
  [
    "an option of the runtime",
    "name: devs\nruntime: {name: nodejs, options: {nodeargs: --require ./a}}\n",
    'runtime: "nodejs" → {"name":"nodejs","options":{"nodeargs":"--require ./a"}}',
  ],
  ["what no reader of YAML takes", `${project}name: devs\n`, "it is another"],
])("names %s in Pulumi.yaml", async (_, text, says) => {
  expect(await found({ "Pulumi.yaml": project }, { "Pulumi.yaml": text })).toEqual([`Pulumi.yaml: ${says}`]);
});

it("names packages of a lock file, and other files as a whole", async () => {
  const before = lock({ "": { version: "1.0.0" }, "node_modules/a": { version: "1.0.0", integrity: "x" } });
  const after = (a: object) =>
    lock({ "": { version: "1.0.0" }, "node_modules/a": a, "node_modules/b": { version: "2.0.0" } });
  expect(
    await found(
      { "package-lock.json": before },
      { "package-lock.json": after({ version: "1.0.0", integrity: "y" }) },
    ),
  ).toEqual(["package-lock.json: other packages: a 1.0.0 with other contents, b none → 2.0.0"]);
  expect(await found({ "go.sum": "a" }, { "go.sum": "b", ".npmrc": "c" })).toEqual([
    ".npmrc: it is new",
    "go.sum: it is another",
  ]);
  expect(await found({ "PulumiPlugin.yaml": "runtime: nodejs\n" }, {})).toEqual([
    "PulumiPlugin.yaml: it is removed",
  ]);
});

it("says nothing of words for people and of the program itself, and follows no link", async () => {
  const told = `${project}description: ours\n`;
  expect(
    await found({ "Pulumi.yaml": project, "yarn.lock": "a" }, { "Pulumi.yaml": told, "yarn.lock": "a" }),
  ).toEqual([]);
  await expect(found({}, {}, "Pulumi.yaml")).rejects.toThrow(
    "Pulumi.yaml is no file, but a link or a folder",
  );
});
