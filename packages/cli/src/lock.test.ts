import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { expect, it } from "vitest";
import { alone } from "./lock.ts";

const folder = temporaryFolder();
const lock = join(folder, "lock");
const counter = join(folder, "counter");
const quiet = () => undefined;

/** Loses a count if anybody else does the same meanwhile. */
const count = async () => {
  const before = Number(readFileSync(counter, "utf8"));
  await sleep(5);
  writeFileSync(counter, String(before + 1));
};

it("lets one at a time do its work, and goes away whatever comes of it", async () => {
  writeFileSync(counter, "0");
  await Promise.all(Array.from({ length: 20 }, () => alone(lock, count, quiet)));
  expect(readFileSync(counter, "utf8")).toBe("20");
  await expect(alone(lock, () => Promise.reject(new Error("failed")), quiet)).rejects.toThrow("failed");
  expect(existsSync(lock)).toBe(false);
});

it("is taken from a process that was killed, by one of those who wait", async () => {
  writeFileSync(counter, "0");
  const dead = spawn("true");
  await once(dead, "exit");
  writeFileSync(lock, `${hostname()} ${dead.pid}`);
  await Promise.all(Array.from({ length: 20 }, () => alone(lock, count, quiet)));
  expect([readFileSync(counter, "utf8"), existsSync(`${lock}-clearing`)]).toEqual(["20", false]);
});

it("is left to a process that lives, also on another computer, and says what it waits for", async () => {
  const living = spawn("sleep", ["30"]);
  writeFileSync(lock, `${hostname()} ${living.pid}`);
  const said: string[] = [];
  const done: string[] = [];
  const work = alone(
    lock,
    async () => done.push("first"),
    (text) => said.push(text),
  );
  await sleep(3500);
  expect([done, said]).toEqual([
    [],
    [
      `another drawbridge ssh-config is at work (${hostname()} ${living.pid}); waiting for it, or remove ${lock} if none is`,
    ],
  ]);
  living.kill();
  await work;
  writeFileSync(lock, "elsewhere 1");
  const later = alone(lock, async () => done.push("second"), quiet);
  await sleep(300);
  expect(done).toEqual(["first"]);
  utimesSync(lock, 0, Date.now() / 1000 - 601);
  await later;
  expect(done).toEqual(["first", "second"]);
});
