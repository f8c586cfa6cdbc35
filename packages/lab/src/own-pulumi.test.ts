import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hasOwnPulumi } from "./own-pulumi.ts";

let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-pulumi-"));
  for (const name of ["cache", "path"]) mkdirSync(join(folder, name));
  env = { PATH: join(folder, "path"), DRAWBRIDGE_CACHE: join(folder, "cache") };
});

afterEach(() => rmSync(folder, { recursive: true }));

function program(path: string, code = 0): string {
  const file = join(folder, path);
  writeFileSync(file, `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
  return file;
}

it("a pulumi on PATH is the user's", () => {
  program("path/pulumi");
  expect(hasOwnPulumi(env)).toBe(true);
});

it("without a cache as well", () => {
  program("path/pulumi");
  expect(hasOwnPulumi({ ...env, DRAWBRIDGE_CACHE: join(folder, "none") })).toBe(true);
});

it("a link to the one that the lab has built is not", () => {
  symlinkSync(program("cache/pulumi"), join(folder, "path/pulumi"));
  expect(hasOwnPulumi(env)).toBe(false);
});

it("one that does not work is not, and none is not", () => {
  program("path/pulumi", 1);
  expect(hasOwnPulumi(env)).toBe(false);
  rmSync(join(folder, "path/pulumi"));
  expect(hasOwnPulumi(env)).toBe(false);
});
