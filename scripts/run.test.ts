import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";

const run = promisify(execFile);

// An npm that notes its calls and takes its time.
const npm = `#!/bin/sh
echo "$*" >> calls
sleep 1
mkdir -p node_modules
`;

let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "drawbridge-run-"));
  mkdirSync(join(clone, "scripts"));
  for (const file of ["run", "stamp-install.js"]) cpSync(`scripts/${file}`, join(clone, "scripts", file));
  writeFileSync(join(clone, "package-lock.json"), "{}");
  mkdirSync(join(clone, "bin"));
  writeFileSync(join(clone, "bin/npm"), npm);
  chmodSync(join(clone, "bin/npm"), 0o755);
});

afterEach(() => rmSync(clone, { recursive: true }));

const command = () =>
  run("sh", [join(clone, "scripts/run"), "true"], {
    env: { ...process.env, NODE_OPTIONS: "", PATH: `${clone}/bin:${process.env.PATH}` },
  });
const calls = () => readFileSync(join(clone, "calls"), "utf8").trim().split("\n");

it("installs once when several commands begin at once, and not again", async () => {
  await Promise.all([command(), command(), command()]);
  await command();
  expect(calls()).toEqual(["ci --ignore-scripts --no-audit --no-fund --loglevel=error"]);
});

it("does not wait for a run that was killed while it installed", async () => {
  mkdirSync(join(clone, ".drawbridge"));
  // No process has an id above the kernel's limit of 4194304.
  symlinkSync("4194305", join(clone, ".drawbridge/installing"));
  await command();
  expect(calls()).toHaveLength(1);
  expect(readdirSync(join(clone, ".drawbridge"))).toEqual([]);
});
