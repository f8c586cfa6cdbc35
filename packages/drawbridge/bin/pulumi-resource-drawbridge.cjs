#!/usr/bin/env node
// Starts the Pulumi plugin: the built program, or in a clone its sources. Plain JavaScript that every Node reads, so
// that an old one gets a sentence and no SyntaxError. Pulumi reads the port from the first line of standard output.
const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const built = join(__dirname, "..", "dist", "plugin.js");
const sources = join(__dirname, "..", "src", "plugin.ts");
const [major, minor] = process.versions.node.split(".").map(Number);

function runSources() {
  // The condition that leads imports to the workspace's sources is known to Node at its start only.
  const options = ["--conditions=@drawbridge/source", "--disable-warning=ExperimentalWarning"];
  const words = [...options, sources, ...process.argv.slice(2)];
  const child = spawn(process.execPath, words, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("close", (code, signal) => {
    process.exitCode = signal ? 1 : code;
  });
}

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `drawbridge: this is Node ${process.versions.node}; the plugin needs 22.18 or newer. Install a newer Node, then run it again.`,
  );
  process.exitCode = 1;
} else if (existsSync(sources) && !existsSync(built)) runSources();
else import(pathToFileURL(built).href);
