import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { replace, stateFolder } from "./files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-files-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it("keeps a file's mode, whatever the umask", async () => {
  const file = join(folder, "config");
  await writeFile(file, "old", { mode: 0o644 });
  const before = process.umask(0o077);
  try {
    await replace(file, "new");
  } finally {
    process.umask(before);
  }
  expect([await readFile(file, "utf8"), (await stat(file)).mode & 0o777]).toEqual(["new", 0o644]);
});

it("writes through a link, also to a file that is not there yet", async () => {
  const file = join(folder, "config");
  await symlink("dotfile", file);
  for (const text of ["first", "second"]) {
    await replace(file, text);
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, "dotfile"), "utf8")).toBe(text);
  }
});

it.each([
  ["", "", "/home/a/.local/state/drawbridge"],
  ["", "relative", "/home/a/.local/state/drawbridge"],
  ["", "/state", "/state/drawbridge"],
  ["/own", "/state", "/own"],
  ["own", "", join(process.cwd(), "own")],
])("keeps its state in a whole path: DRAWBRIDGE_HOME %j, XDG_STATE_HOME %j", (own, state, expected) => {
  vi.stubEnv("HOME", "/home/a");
  vi.stubEnv("DRAWBRIDGE_HOME", own);
  vi.stubEnv("XDG_STATE_HOME", state);
  expect(stateFolder()).toBe(expected);
});
