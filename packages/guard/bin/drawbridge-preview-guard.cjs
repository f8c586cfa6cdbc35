#!/usr/bin/env node
// Starts the guard: the built program, or in a clone its sources. Plain JavaScript that every Node reads, so that an old
// one gets a sentence and the code for "not judged".
const { spawnSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const built = join(__dirname, "..", "dist", "main.js");
const sources = join(__dirname, "..", "src", "main.ts");
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `drawbridge-preview-guard: this is Node ${process.versions.node}; the guard needs 22.18 or newer. Install a newer Node, then run it again.`,
  );
  process.exitCode = 2;
} else {
  // The condition that leads imports to the workspace's sources is known to Node at its start only.
  const clone = ["--conditions=@drawbridge/source", "--disable-warning=ExperimentalWarning", sources];
  const words = existsSync(built) ? [built] : clone;
  // A guard that was killed has judged nothing.
  process.exitCode =
    spawnSync(process.execPath, [...words, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 2;
}
