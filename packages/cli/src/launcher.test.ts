import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { expect, it } from "vitest";

const launcher = "packages/cli/bin/drawbridge.cjs";
const folder = temporaryFolder();

const run = (file: string, words: string[], options: string[] = []) =>
  promisify(execFile)(process.execPath, [...options, file, ...words], {
    env: { PATH: process.env.PATH },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );

it("runs the sources in a clone, with their exit code", async () => {
  const help = await run(launcher, ["--help"]);
  expect([help.code, help.stderr]).toEqual([0, ""]);
  expect(help.stdout).toMatch(/^Usage: drawbridge /);
  expect((await run(launcher, ["frobnicate"])).code).toBe(2);
});

it("runs the bundled program where that is", async () => {
  for (const name of ["bin", "dist", "src"]) await mkdir(join(folder, name));
  await copyFile(launcher, join(folder, "bin", "drawbridge.cjs"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "src", "main.ts"), "console.log('the sources');");
  await writeFile(
    join(folder, "dist", "main.cjs"),
    "console.log('bundled', process.argv.slice(2).join(' '));",
  );
  expect(await run(join(folder, "bin", "drawbridge.cjs"), ["a", "b"])).toEqual({
    code: 0,
    stdout: "bundled a b\n",
    stderr: "",
  });
});

it("has one sentence for an old Node", async () => {
  const old = join(folder, "old.cjs");
  await writeFile(old, 'Object.defineProperty(process.versions, "node", { value: "20.19.4" });');
  expect(await run(launcher, ["--help"], ["--require", old])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "drawbridge: this is Node 20.19.4; drawbridge needs 22.18 or newer. Install a newer Node, then run it again.\n",
  });
});
