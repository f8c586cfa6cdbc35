import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { cacheDir } from "./cache.ts";

/** Whether a `pulumi` that works is there and is the user's: a lab puts a link to the one that it has built on PATH. */
export function hasOwnPulumi(env: NodeJS.ProcessEnv = process.env): boolean {
  const question = "command -v pulumi && pulumi version >/dev/null";
  const found = spawnSync("/bin/sh", ["-c", question], { encoding: "utf8", env });
  if (found.status !== 0) return false;
  const program = realpathSync(found.stdout.trim());
  return !existsSync(cacheDir(env)) || !program.startsWith(`${realpathSync(cacheDir(env))}/`);
}
