import { expect, it } from "vitest";
import { type Group, groupsOf, longFiles, ownTree, touches } from "./changed.ts";

const texts = {
  "packages/drawbridge/src/generated/components.ts": `
export { Team, TeamMembers } from "../team/component.ts";
export { StorageProxy } from "../storage-proxy/component.ts";`,
  "packages/drawbridge/src/index.ts": `export * from "./generated/components.ts";`,
  "packages/drawbridge/src/team/component.ts": `import { label } from "../kubernetes/labels.ts"; label();`,
  "packages/drawbridge/src/storage-proxy/component.ts": "",
  "packages/drawbridge/src/kubernetes/labels.ts": `import type { A } from "./types.ts"; // docs/team.md`,
  "packages/drawbridge/src/kubernetes/types.ts": "",
  "packages/cli/src/main.ts": `import { walk } from "./walk.ts"; walk();`,
  "packages/cli/src/walk.ts": "",
  "packages/cli/src/walk.test.ts": "",
  "packages/controllers/src/idle/main.ts": `import { read } from "../read.ts"; read();`,
  "packages/controllers/src/read.ts": "",
  "packages/images/frp/Dockerfile": "",
  "packages/images/lab-only/debian/Dockerfile": "",
  "packages/lab/src/main.ts": "",
  "packages/lab/tools/durations.json": "",
  "docs/team.md": "",
  "examples/team/Pulumi.yaml": "",
  "test/support/stacks/idle-stack.ts": "",
  "test/support/machine.ts": "",
  "test/long/team.test.ts": `
import { TeamMembers } from "@drawbridge-iac/drawbridge";
new TeamMembers(await readFile("docs/team.md"), "examples/team");`,
  "test/long/frp.test.ts": `
import { label } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
label(imageRef("frpc"), new URL("../support/machine.ts", import.meta.url));`,
  "test/long/idle.test.ts": `import { up } from "../support/stacks/idle-stack.ts"; up();`,
  "test/nodes/cli.test.ts": "run(`${process.cwd()}/packages/cli/src/main.ts`);",
} as const;
type File = keyof typeof texts;

const tree = { files: Object.keys(texts), read: (file: string) => texts[file as File] };
const short = (files: readonly string[]) => files.map((file) => /([\w-]+)\.test/.exec(file)?.[1]);

it.each<[why: string, File | "package-lock.json" | "LICENSE", tests: readonly string[]]>([
  ["itself", "test/long/frp.test.ts", ["frp"]],
  ["a class by its name, not its neighbours", "packages/drawbridge/src/team/component.ts", ["team"]],
  ["another class", "packages/drawbridge/src/storage-proxy/component.ts", []],
  ["what two import, one through a class", "packages/drawbridge/src/kubernetes/labels.ts", ["team", "frp"]],
  ["types alone", "packages/drawbridge/src/kubernetes/types.ts", []],
  ["a page", "docs/team.md", ["team"]],
  ["a folder", "examples/team/Pulumi.yaml", ["team"]],
  ["a path from the file", "test/support/machine.ts", ["frp"]],
  ["an image", "packages/images/frp/Dockerfile", ["frp"]],
  ["what that image is made from", "packages/images/lab-only/debian/Dockerfile", ["frp"]],
  ["a program that is run", "packages/cli/src/walk.ts", ["cli"]],
  ["a unit test", "packages/cli/src/walk.test.ts", []],
  ["a controller in its image", "packages/controllers/src/read.ts", ["idle"]],
  ["the lab", "packages/lab/src/main.ts", ["team", "frp", "idle", "cli"]],
  ["a record", "packages/lab/tools/durations.json", []],
  ["packages", "package-lock.json", ["team", "frp", "idle", "cli"]],
  ["nothing that is run", "LICENSE", []],
])("%s: %s", (_why, file, tests) => {
  expect(short(touches(longFiles(tree), tree)([file]))).toEqual(tests);
});

it("in the project as it is, a change leads to its tests and to no others", () => {
  const own = ownTree();
  const tests = ["storage", "frp", "idle-waits", "guard", "readme"].map(
    (name) => `test/long/${name}.test.ts`,
  );
  const touchedBy = touches(tests, own);
  const chosen = (file: string) => {
    expect(own.files).toContain(file);
    return short(touchedBy([file]));
  };
  expect(longFiles(own)).toEqual(expect.arrayContaining(tests));
  expect({
    storage: chosen("packages/drawbridge/src/storage-proxy/objects.ts"),
    frp: chosen("packages/images/frp/Dockerfile"),
    idle: chosen("packages/controllers/src/idle/main.ts"),
    guard: chosen("packages/guard/src/rules.ts"),
    page: chosen("README.md"),
    kit: chosen("packages/drawbridge/src/kit/schema.ts"),
  }).toEqual({
    storage: ["storage", "guard"],
    frp: ["frp"],
    idle: ["idle-waits"],
    guard: ["guard"],
    page: ["readme"],
    kit: ["storage", "frp", "idle-waits", "guard", "readme"],
  });
});

it.each<[why: string, minutes: Readonly<Record<string, number>>, groups: readonly (readonly string[])[]]>([
  ["what fits is one", { "long/a": 20, "long/b": 15, "long/c": 5 }, [["a", "b", "c"]]],
  ["the longest first", { "long/a": 5, "long/b": 30, "long/c": 20 }, [["b", "a"], ["c"]]],
  ["a lab of another kind apart", { "nodes/n": 5, "long/a": 5 }, [["a"], ["n"]]],
  ["longer than the limit", { "long/a": 50, "long/b": 1 }, [["a"], ["b"]]],
  ["nothing", {}, []],
])("groups: %s", (_why, minutes, groups) => {
  const files = Object.keys(minutes).map((name) => `test/${name}`);
  const of = (file: string) => (minutes[file.slice(5)] ?? 0) * 60_000;
  const made: Group[] = groupsOf(files, of);
  expect(made.map((one) => one.files.map((file) => file.at(-1)))).toEqual(groups);
  expect(made.map(({ milliseconds }) => milliseconds)).toEqual(
    made.map((one) => one.files.reduce((sum, file) => sum + of(file), 0)),
  );
});
