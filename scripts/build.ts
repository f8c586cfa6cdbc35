/**
 * `npm run build [-- [--pack <folder>] [package]...]`: compiles the packages that are published, or those named, into
 * their `dist` folders, and packs them into tarballs if asked.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, describe, modulesOf, pack, publishedPackages, stage } from "./lib/published.ts";

const { values, positionals } = parseArgs({ options: { pack: { type: "string" } }, allowPositionals: true });
const unknown = positionals.filter((name) => !(publishedPackages as readonly string[]).includes(name));
if (unknown.length > 0) {
  console.error(`there is no package ${unknown.join(" or ")} to build; use ${publishedPackages.join(", ")}`);
  process.exit(2);
}
const chosen = publishedPackages.filter((name) => positionals.length === 0 || positionals.includes(name));
for (const name of chosen) {
  build(name);
  console.log(`${describe(name).name}: ${modulesOf(name)} modules`);
}
if (values.pack !== undefined) {
  const target = resolve(values.pack);
  mkdirSync(target, { recursive: true });
  const staging = mkdtempSync(join(tmpdir(), "drawbridge-pack-"));
  try {
    for (const name of chosen) {
      stage(name, join(staging, name));
      pack(join(staging, name), target);
    }
  } finally {
    rmSync(staging, { recursive: true });
  }
  console.log(`packed into ${target}`);
}
