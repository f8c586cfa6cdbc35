/** CONTRIBUTING's recipes, walked with their examples: every file that has the example in it is one that they name. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const page = readFileSync("CONTRIBUTING.md", "utf8");

/** The files that a recipe names, in its order. */
function recipe(title: string): string[] {
  const [, rest = ""] = page.split(`### ${title}\n`);
  const [text = ""] = rest.split(/^##/m);
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w-]+\.[\w.]+)`/g)].map((match) => match[1] ?? "");
  return [...new Set(named)];
}

/** The files of the repository that have a word in them. */
function filesWith(word: string): string[] {
  const found = spawnSync("git", ["grep", "--untracked", "-lwF", word], { encoding: "utf8" });
  return found.stdout.split("\n").filter((file) => file !== "" && file !== "CONTRIBUTING.md");
}

const inOrder = (named: readonly string[], ...files: string[]) =>
  files.map((file) => named.indexOf(file)).every((at, index, all) => at >= 0 && at > (all[index - 1] ?? -1));

// What a recipe says "as above" of.
const made = [
  "docs/fields.md",
  "docs/reference.md",
  "packages/components/schema.json",
  "stacks/schema.json",
  "test/recorded/interface.json",
  "test/recorded/schema.json",
];

describe.each([
  {
    title: "Pass on a field of the pod",
    word: "runtimeClassName",
    // What mentions it besides: tests that use it as one argument among others, and the guard, which knows every field.
    besides: [
      "packages/manifests/src/container/args.test.ts",
      "packages/manifests/src/container/builders.test.ts",
      "packages/preview-guard/src/foreign/pod.ts",
    ],
    order: ["packages/manifests/src/common/scheduling.ts", "docs/reference.md"],
  },
  {
    title: "Add an argument",
    word: "maxStartups",
    // Pages for readers, another component that has it, tests of shape, and what is made of every argument.
    besides: [
      ...made,
      "packages/components/src/made/injected-sshd.ts",
      "packages/components/src/made/shared.ts",
      "packages/manifests/src/common/client-limits.ts",
      "packages/manifests/src/container/args-ssh.test.ts",
      "test/release/language-life.test.ts",
      "test/support/field-edits/injected-sshds.ts",
    ],
    order: ["packages/manifests/src/sshd/args.ts", "docs/floods.md"],
  },
  {
    title: "Add a guard rule",
    word: "volume-shrunk",
    besides: ["docs/dev-container.md"],
    order: ["packages/preview-guard/src/rules/index.ts", "docs/preview-guard.md", "docs/reference.md"],
  },
  {
    title: "Move a pin",
    word: "v0.70.1",
    // Figures of a run say what they were measured with; another module there has that number by chance.
    besides: [
      "docs/bench-full.json",
      "docs/bench.json",
      "docs/bench.md",
      "packages/lab/tools/previous/go.mod",
      "packages/lab/tools/previous/go.sum",
    ],
    order: [
      "packages/lab/tools/shared/go.mod",
      "packages/manifests/src/common/images.ts",
      "docs/reference.md",
    ],
  },
])("$title", ({ title, word, besides, order }) => {
  const named = recipe(title);

  it("names files that are there", () => {
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  it(`names every file in which ${word} stands, and those files alone are left out that need no hand`, () => {
    const found = filesWith(word);
    expect(found.filter((file) => !named.includes(file)).sort()).toEqual(
      [...besides, "scripts/recipes.test.ts"].sort(),
    );
    expect(besides.filter((file) => named.includes(file))).toEqual([]);
  });

  it("names them in the order of the work", () => {
    expect(inOrder(named, ...order)).toBe(true);
    expect(inOrder(named, ...order.toReversed())).toBe(false);
  });
});
