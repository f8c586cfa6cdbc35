import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isPart, programModule, programText } from "./programs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-programs-"));
  mkdirSync(join(folder, "thing"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, "thing", name);
  writeFileSync(path, text);
  return path;
}

it("leaves out what is written for readers and checkers of the file, and nothing else", () => {
  const shell =
    "#!/bin/sh\n## Why.\n##\n# shellcheck disable=SC2154\n# Kept.\nif a; then\n  ## Not.\n  b #-## c\nfi\n";
  expect(programText(file("a.sh", shell))).toBe("#!/bin/sh\n# Kept.\nif a; then\n  b #-## c\nfi\n");
  const lua = "--- Why.\n\n-- Kept.\nlocal a = 1 --- kept\n";
  expect(programText(file("a.lua", lua))).toBe("\n-- Kept.\nlocal a = 1 --- kept\n");
  const script = '/// Why.\n"use strict";\n// Kept.\n## Kept.\n';
  expect(programText(file("a.js", script))).toBe('"use strict";\n// Kept.\n## Kept.\n');
  const style = "/* Kept. */\na { color: red; }\n";
  expect(programText(file("a.css", style))).toBe(style);
});

it("puts a part in the place of the line that brings it", () => {
  const program = file("program.sh", "## Why.\n. ./one.sh\necho end\n. /etc/profile\n");
  const [one, two] = [
    file("one.sh", "## Part.\n. ./two.sh\none() { two; }\n"),
    file("two.sh", "two() { :; }\n"),
  ];
  expect(programText(program)).toBe("two() { :; }\none() { two; }\necho end\n. /etc/profile\n");
  expect([program, one, two].map(isPart)).toEqual([false, true, true]);
});

it("makes a constant of each program, which says what its builder fills in", () => {
  file("two-words.sh", "echo @USER@ @PORT@ @USER@ $@ a@B\ntrue # @ROOT?@\n");
  file("wall.lua", '-- "quoted" \\\n');
  file("line.sh", ". ./part.sh\ntrue # @ROOT?@\n");
  file("part.sh", "true\n");
  expect(
    programModule(folder),
  ).toBe(`// Made by \`npm run docs\` of the programs that stand beside their builders; change those.
// biome-ignore-all format: each text is one line
import type { Program } from "@drawbridge-iac/manifests/program";

/** thing/line.sh */
export const lineSh = "true\\ntrue # @ROOT?@\\n" as Program<never, "ROOT">;

/** thing/two-words.sh */
export const twoWordsSh = "echo @USER@ @PORT@ @USER@ $@ a@B\\ntrue # @ROOT?@\\n" as Program<"PORT" | "USER", "ROOT">;

/** thing/wall.lua */
export const wallLua = "-- \\"quoted\\" \\\\\\n";
`);
});
