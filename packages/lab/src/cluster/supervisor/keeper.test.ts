import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Keeper, pauseAfter } from "./keeper.ts";
import { until } from "./probes.ts";

test("a program that keeps ending early is restarted after ever longer pauses, one that lived long at once", () => {
  expect([0, 1, 2, 3, 5, 6, 60].map(pauseAfter)).toEqual([0, 200, 400, 800, 3200, 5000, 5000]);
});

test("a program that ends is started again, with its files and folders, and its output is kept", async () => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-keeper-"));
  let changes = 0;
  const keeper = new Keeper(
    {
      name: "twice",
      after: [],
      command: "sh",
      // Ends once, stays the second time.
      args: ["-c", `cat greeting; if mkdir once; then exit 3; else exec sleep 60; fi`],
      files: { [join(folder, "work/greeting")]: "hello\n" },
      folders: [join(folder, "work")],
      directory: join(folder, "work"),
      ready: async () => true,
    },
    folder,
    () => {
      changes += 1;
    },
  );
  keeper.start();
  await until(async () => keeper.state.restarts === 1 && keeper.state.pid !== undefined, 30);
  const { pid, ...state } = keeper.state;
  expect(state).toEqual({ name: "twice", restarts: 1, lastEnd: "exit code 3" });
  expect(changes).toBe(3);
  await until(
    async () => (await readFile(join(folder, "twice.log"), "utf8")).startsWith("hello\nhello\n"),
    30,
  );
  keeper.stop();
  await rm(folder, { recursive: true });
});
