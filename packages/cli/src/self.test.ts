import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { starterText } from "./self.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-starter-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A program that says its name and what it was given. */
async function program(path: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho "${path}: $*"\n`);
  await chmod(file, 0o755);
  return file;
}

/** Runs the starter as ssh of an editor would, with little on PATH. */
async function start(command: string[], path = "/usr/bin:/bin"): Promise<{ code: number; said: string }> {
  const file = join(folder, "start");
  await writeFile(file, starterText(command));
  const env = { HOME: folder, PATH: path };
  return promisify(execFile)("/bin/sh", [file, "proxy", "--host", "a b"], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout.trim() }),
    (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr.trim() }),
  );
}

it("starts the program where it was", async () => {
  const [node, script] = [await program("v1/it's node"), await program("lib/main.js")];
  expect(await start([node, script])).toEqual({ code: 0, said: `v1/it's node: ${script} proxy --host a b` });
  expect(await start([await program("alone")])).toEqual({ code: 0, said: "alone: proxy --host a b" });
});

it("finds another Node for it, or it in a newer Node's folder, after an upgrade", async () => {
  const script = await program("lib/main.js");
  const bin = join(await program("new/bin/node"), "..");
  expect(await start(["/gone/node", script], `${bin}:/bin`)).toEqual({
    code: 0,
    said: `new/bin/node: ${script} proxy --host a b`,
  });
  await program(".nvm/versions/node/v24.1.0/bin/drawbridge");
  expect(await start(["/gone/node", "/gone/main.js"], "/bin")).toEqual({
    code: 0,
    said: ".nvm/versions/node/v24.1.0/bin/drawbridge: proxy --host a b",
  });
});

it("says in one sentence that it is gone", async () => {
  expect(await start(["/gone/node", "/gone/main.js"], "/bin")).toEqual({
    code: 1,
    said: "drawbridge: the program is no longer where it was, and not on PATH; install it again, then run: drawbridge ssh-config",
  });
});
