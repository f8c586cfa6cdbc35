#!/usr/bin/env node
// Starts the command: the bundled program, or in a clone its sources. Plain JavaScript that every Node reads, so that
// an old one gets a sentence and no SyntaxError.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const bundled = join(__dirname, "..", "dist", "main.cjs");
const sources = join(__dirname, "..", "src", "main.ts");
const [major, minor] = process.versions.node.split(".").map(Number);

function runSources() {
  const { spawn } = require("node:child_process");
  // The condition that leads imports to the workspace's sources is known to Node at its start only.
  const options = ["--conditions=@drawbridge/source", "--disable-warning=ExperimentalWarning"];
  const words = [...options, sources, ...process.argv.slice(2)];
  const child = spawn(process.execPath, words, { stdio: "inherit" });
  child.on("close", (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exit(code === null ? 1 : code);
  });
}

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `drawbridge: this is Node ${process.versions.node}; drawbridge needs 22.18 or newer. Install a newer Node, then run it again.`,
  );
  process.exitCode = 1;
} else if (existsSync(sources) && !existsSync(bundled)) runSources();
else require(bundled);
