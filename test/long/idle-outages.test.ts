/** What breaks while containers sleep: nothing awake is cut but the waking sessions, and nobody waits without a reason. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, kubectl } from "../../scripts/lib/lab/lab.ts";
import { systemPid } from "../support/lab/processes.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

const sleeper = { idle: byHand, ...quickStop };
const awaySeconds = Number(process.env.DRAWBRIDGE_AWAY ?? 60);
const rest = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

let idle: IdleStack;
beforeAll(async () => {
  idle = await IdleStack.create("team-outages");
  await idle.up({
    dev1: sleeper,
    quick: { ...sleeper, idle: { ...byHand, wakeTimeoutSeconds: 15 } },
    steady: { idle: byHand },
  });
  for (const name of ["dev1", "quick", "steady"]) await idle.login(name);
});
afterAll(() => idle.close());

it("both activators killed: sessions that they joined end, others go on, and what sleeps is woken by their successors", async () => {
  await idle.putToSleep("dev1");
  const joined = idle.laptop.openCounter("dev1");
  await joined.reached(10, 90);
  await eventually("the end of the slice", async () => !(await idle.hasSlice("dev1")));
  const straight = idle.laptop.openCounter("dev1");
  const steady = idle.laptop.openCounter("steady");
  await Promise.all([straight.reached(1), steady.reached(1)]);
  await idle.putToSleep("quick");

  await idle.kill("activator");
  await eventually("the end of the session that woke", async () => !joined.alive, 30);
  expect(joined.unbroken).toBe(true);
  // Counted, and told by whom: the log of the successor begins anew, so the gateway's clients see their own end.
  expect([straight.alive, straight.unbroken, steady.alive, steady.unbroken]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  await eventually("the activator's readiness", () => idle.hasSlice("quick"));
  await rest(1);
  expect(await idle.wake("quick")).toMatchObject({ code: 0 });
  expect(await idle.wake("dev1")).toMatchObject({ code: 0 });
  await Promise.all([straight.close(), steady.close()]);
});

it("a client that waits when the activator dies gets its end at once; its next try arrives", async () => {
  await idle.up({
    ...idle.containers,
    stuck: { ...sleeper, wait: false, scheduling: { nodeSelector: { pool: "none" } } },
  });
  await idle.putToSleep("stuck");
  const waiting = idle.wake("stuck", "true", 90);
  await eventually("its wake", async () => (await idle.replicas("stuck")) === 1);
  const begun = performance.now();
  await idle.kill("activator");
  expect((await waiting).code).toBe(255);
  expect(performance.now() - begun).toBeLessThan(60_000);
});

it("the culler killed: nothing sleeps or wakes by it, and its successor goes on", async () => {
  const steady = idle.laptop.openCounter("steady");
  await steady.reached(1);
  await idle.kill("culler");
  const before = await idle.said("steady");
  expect(before.reason).toBe("Awake");
  expect([await idle.replicas("steady"), await idle.replicas("dev1")]).toEqual([1, 1]);
  expect([steady.alive, steady.unbroken]).toEqual([true, true]);
  await steady.close();
});

it("a Deployment of neither: logins and sessions of what is awake are as ever", async () => {
  for (const role of ["culler", "activator"]) {
    await kubectl([
      "-n",
      idle.gatewayName,
      "scale",
      "deployment",
      `${idle.gatewayName}-${role}`,
      "--replicas=0",
    ]);
  }
  try {
    for (let round = 0; round < 5; round += 1) expect(await idle.wake("steady")).toMatchObject({ code: 0 });
  } finally {
    for (const role of ["culler", "activator"]) {
      const deployment = `deployment/${idle.gatewayName}-${role}`;
      const replicas = role === "activator" ? 2 : 1;
      await kubectl(["-n", idle.gatewayName, "scale", deployment, `--replicas=${replicas}`]);
      await kubectl(["-n", idle.gatewayName, "rollout", "status", deployment, "--timeout=90s"]);
    }
  }
});

it(`the API server away for ${awaySeconds} s: who waits longer than wakeTimeoutSeconds is told why, who waits on arrives`, async () => {
  const steady = idle.laptop.openCounter("steady");
  await steady.reached(1);
  await idle.putToSleep("dev1", "quick");
  const pid = await systemPid("kube-apiserver");
  process.kill(pid, "SIGSTOP");
  let waiting: ReturnType<IdleStack["wake"]>;
  try {
    waiting = idle.wake("dev1", "hostname", awaySeconds + 180);
    const { code, stderr } = await idle.wake("quick", "true", 90);
    expect(code).toBe(255);
    expect(stderr).toMatch(/quick: it did not start within 15 s: the API server does not answer within 10 s/);
    await rest(awaySeconds - 20);
    expect((await idle.wake("steady")).code).toBe(0);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  expect(await waiting).toMatchObject({ code: 0, stdout: "dev1-0\n" });
  expect([steady.alive, steady.unbroken]).toEqual([true, true]);
  await steady.close();
  await eventually("another wake", async () => (await idle.wake("quick")).code === 0, 120);
});

it("a stuck pod loses nothing: when it can start, the next login arrives", async () => {
  expect((await idle.wake("dev1", "echo here > ~/here")).code).toBe(0);
  await idle.putToSleep("dev1");
  const node = (await kubectl(["get", "nodes", "-o", "jsonpath={.items[0].metadata.name}"])).trim();
  await kubectl(["cordon", node]);
  try {
    const held = idle.wake("dev1", "cat ~/here", 120);
    await eventually("its wake", async () => (await idle.replicas("dev1")) === 1);
    await rest(5);
    await kubectl(["uncordon", node]);
    expect(await held).toMatchObject({ code: 0, stdout: "here\n" });
  } finally {
    await kubectl(["uncordon", node]);
  }
});
