/**
 * Sleep and wake over the real gateway, kubelet and OpenSSH, by hand: the core. Verdicts by real programs are in
 * idle-corpus, many wakes in idle-wakes, other clients in idle-clients, failures in idle-outages, attacks in attacks-idle.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, run } from "../../scripts/lib/lab/lab.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

const sleeper = { idle: byHand, ...quickStop };
let idle: IdleStack;

beforeAll(async () => {
  idle = await IdleStack.create("team-idle");
  await idle.up({ dev1: sleeper, steady: {} });
  await idle.login("dev1");
  await idle.login("steady");
});
afterAll(() => idle.close());

describe("waking", () => {
  it("plain ssh wakes it; no other session loses a line and no listener changes", async () => {
    const steady = idle.laptop.openCounter("steady");
    await steady.reached(1);
    expect((await idle.wake("dev1", "echo kept > ~/kept")).code).toBe(0);
    const before = await idle.listenerCounters();
    for (let round = 0; round < 3; round += 1) {
      await idle.putToSleep("dev1");
      expect(await idle.wake("dev1", "cat ~/kept")).toMatchObject({ code: 0, stdout: "kept\n" });
    }
    expect([steady.alive, steady.unbroken]).toEqual([true, true]);
    await steady.close();
    expect(await idle.listenerCounters()).toEqual(before);
  });

  it("by scp, by sftp, and by a session that stays", async () => {
    const file = join(idle.laptop.folder, "big");
    await writeFile(file, Buffer.alloc(3_000_000, 7));
    await idle.putToSleep("dev1");
    expect(await idle.laptop.scp([file, "dev1:big"])).toMatchObject({ code: 0 });
    await idle.putToSleep("dev1");
    const batch = await run("sftp", ["-F", idle.laptop.configFile, "-b", "-", "dev1"], {
      env: idle.laptop.env,
      input: "ls -l big\n",
    });
    expect(batch.stdout).toContain("3000000");
    await idle.putToSleep("dev1");
    const session = idle.laptop.openCounter("dev1");
    await session.reached(50, 90);
    await eventually("the end of the slice", async () => !(await idle.hasSlice("dev1")));
    expect((await idle.wake("dev1")).code).toBe(0);
    expect([session.alive, session.unbroken]).toEqual([true, true]);
    await session.close();
  });

  it("what cannot start ends after wakeTimeoutSeconds, and ssh says why", async () => {
    const stuck = {
      idle: { ...byHand, wakeTimeoutSeconds: 8 },
      scheduling: { nodeSelector: { pool: "none" } },
    };
    await idle.up({ ...idle.containers, stuck: { wait: false, ...stuck } });
    await idle.putToSleep("stuck");
    const { code, stderr } = await idle.wake("stuck");
    expect(code).toBe(255);
    expect(stderr).toMatch(/stuck: it did not start within 8 s: no node takes it: .*node\(s\) didn't match/);
  });
});

describe("with Pulumi", () => {
  it("up, refresh and preview change nothing of a sleeping container; a change leaves it asleep", async () => {
    await idle.putToSleep("dev1");
    const { stack } = idle.stack;
    expect(Object.keys((await stack.preview()).changeSummary)).toEqual(["same"]);
    await stack.refresh();
    expect(Object.keys((await stack.preview()).changeSummary)).toEqual(["same"]);
    const resources = { requests: { cpu: "6m" }, memory: "100Mi" };
    const { dev1 } = await idle.up({ ...idle.containers, dev1: { ...sleeper, resources } });
    expect(dev1?.phase).toBe("Asleep");
    expect(await idle.replicas("dev1")).toBe(0);
    expect((await idle.wake("dev1")).code).toBe(0);
  });

  it("running: false switches it off, awake or asleep, and nobody wakes it; true brings it back", async () => {
    for (const first of [1, 0]) {
      if (first === 0) await idle.putToSleep("dev1");
      await idle.stack.stack.refresh();
      const off = await idle.up({ ...idle.containers, dev1: { ...sleeper, running: false } });
      expect(off.dev1?.phase).toBe("Off");
      await idle.podGone("dev1");
      await eventually("the slice", () => idle.hasSlice("dev1"));
      await new Promise((resolve) => setTimeout(resolve, 700));
      const { code, stderr } = await idle.wake("dev1");
      expect([code, stderr]).toEqual([
        255,
        expect.stringContaining("dev1: it is switched off by its stack (running: false)"),
      ]);
      await idle.stack.stack.refresh();
      const on = await idle.up({ ...idle.containers, dev1: { ...sleeper, running: true } });
      expect(on.dev1?.phase).toBe("Ready");
      expect(await idle.replicas("dev1")).toBe(1);
    }
  });
});
