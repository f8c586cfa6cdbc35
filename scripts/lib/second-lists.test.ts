import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import { expect, it } from "vitest";

/** What names many components because it is about them: what a team's file and the platform's hold. */
const known = ["packages/drawbridge/src/stacks/schema.ts"];
const others = /\.(test|test-d|fixture|trials)\.ts$|\/generated\/|\/registry\.ts$/;

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;

/** How many components a text names as data: their classes, or files of their folders. */
function namedIn(text: string): number {
  const code = text.replaceAll(comments, "");
  const isNamed = (title: string) => new RegExp(`(?<![\\w.@])["'{]?${title}["']?\\s*[:,\\]]`).test(code);
  const isRead = (folder: string) => new RegExp(`["'/]${folder}["'/]`).test(code);
  return Math.max(
    registry.filter(({ title }) => isNamed(title)).length,
    new Set(registry.map(({ folder }) => folder).filter(isRead)).size,
  );
}

it("lists components in the registry alone", () => {
  const files = execFileSync("git", ["ls-files", "packages/*.ts", "scripts/*.ts", "scripts/*.js"], {
    encoding: "utf8",
  }).split("\n");
  const listing = files
    .filter((file) => file !== "" && !others.test(file))
    .filter((file) => namedIn(readFileSync(file, "utf8")) > registry.length / 2);
  expect(listing).toEqual(known);
  // It sees one.
  const list = registry.map(({ title }) => `  ${title}: 1,`).join("\n");
  expect(namedIn(`const all = {\n${list}\n};`)).toBe(registry.length);
  expect(namedIn(registry.map(({ title }) => `"${title}"`).join(", "))).toBeGreaterThan(registry.length - 2);
});
