/** `npm run lines`: lines of what people read, by package, blank lines and comments included; words of the pages. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { madeBlocks } from "./lib/page-figures.ts";

/** What a file is, by its name; the first that fits. `other` is not counted. */
const kinds = {
  tests: /\.(test|test-d|fixture|trials)\.ts$|^test\/.*\.(ts|sh|ya?ml|py|go)$/,
  generated: /\/generated\/.*\.ts$/,
  typescript: /\.ts$/,
  shell: /\.sh$|^packages\/images\/[^.]*\/[a-z-]+$|^scripts\/(run|demo)$|^\.ci\/run$/,
  "Lua, JavaScript, web": /\.(lua|js|css|html)$/,
} as const;
type Kind = keyof typeof kinds;
const columns = Object.keys(kinds) as Kind[];

const read = (file: string) => readFileSync(file, "utf8");
const linesOf = (file: string) => read(file).split("\n").length - 1;
/** Without what a program writes between two marks. */
const byHand = (text: string) => text.replaceAll(madeBlocks, "").replaceAll(/<!--\S+ ?\S*?-->/g, "");
const wordsOf = (file: string) => byHand(read(file)).split(/\s+/).filter(Boolean).length;

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !file.startsWith("test/recorded/") && !file.startsWith("docs/."));

type Counts = Record<Kind, number>;
const rows = new Map<string, Counts>();
for (const file of files) {
  const kind = columns.find((name) => kinds[name].test(file));
  if (kind === undefined) continue;
  const row = /^packages\/[^/]+/.exec(file)?.[0] ?? file.split("/")[0] ?? file;
  const counts = rows.get(row) ?? (Object.fromEntries(columns.map((name) => [name, 0])) as Counts);
  counts[kind] += linesOf(file);
  rows.set(row, counts);
}

const sum = (names: readonly string[], of: readonly Kind[]) =>
  names.flatMap((name) => of.map((kind) => rows.get(name)?.[kind] ?? 0)).reduce((a, b) => a + b, 0);
const core = ["drawbridge", "guard"].map((name) => `packages/${name}`);
const all = [...rows.keys()].filter((name) => !["test", "docs"].includes(name));

const pages = files.filter(
  (file) => file.endsWith(".md") && !/^(CHANGELOG\.md|docs\/reference\.md|test\/)/.test(file),
);
const table = [
  ["", ...columns],
  ...[...rows].sort().map(([name, counts]) => [name, ...columns.map((kind) => String(counts[kind] || ""))]),
];
const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of table) {
  console.log(
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
}
console.log(`
core, generated included     ${sum(core, ["typescript", "generated"])}   (${core.join(", ")})
all TypeScript by hand       ${sum(all, ["typescript"])}
all source, generated too    ${sum(all, ["typescript", "generated", "shell", "Lua, JavaScript, web"])}
tests                        ${sum([...rows.keys()], ["tests"])}
pages                        ${pages.map(wordsOf).reduce((a, b) => a + b, 0)} words by hand in ${pages.length} files, without the changelog`);
