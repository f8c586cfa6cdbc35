import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { childrenOf, identify, isAlive, kill } from "./processes.ts";

test.runIf(process.platform === "linux")("a process is known by its number and its start", async () => {
  const child = spawn("sleep", ["60"]);
  const pid = child.pid ?? 0;
  const identity = identify(pid);
  if (identity === undefined) throw new Error("the child is not listed");
  expect(childrenOf(process.pid)).toContain(pid);
  expect(isAlive(identity)).toBe(true);
  // The same number with another start is a later process, to which the number was given again.
  expect(isAlive({ pid, startTime: "1" })).toBe(false);
  await kill({ pid, startTime: "1" });
  expect(isAlive(identity)).toBe(true);
  const ended = once(child, "exit");
  await kill(identity);
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(isAlive(identity)).toBe(false);
});
