/**
 * The activator's pods are rolled, killed and evicted under sessions that woke their containers. By `drawbridge proxy` they go
 * past the activator, so none is lost; anyone who still waits lives through a roll and an eviction.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { type CounterSession, eventually, kubectl } from "../../scripts/lib/lab/lab.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

const many = Number(process.env.DRAWBRIDGE_BYPASS ?? 50);
const names = ["dev1", "dev2", "dev3", "dev4", "dev5"];
const sleeper = { idle: byHand, ...quickStop };
/** Long enough for a roll, which goes on for as long as a session that was joined. */
const slowSeconds = 40;

let idle: IdleStack;
let cli: InstalledCli;
let sessions: CounterSession[];

beforeAll(async () => {
  idle = await IdleStack.create("team-activators", { gateway: { drainSeconds: 60 } });
  const image = imageRef("devcontainer");
  const slow = { name: "slow", image, command: ["sleep", String(slowSeconds)] };
  await idle.up({
    ...Object.fromEntries(names.map((name) => [name, sleeper])),
    slow: { ...sleeper, pod: { initContainers: [slow] } },
  });
  for (const name of [...names, "slow"]) await idle.login(name, 180);
  cli = await installCli();
  const outputs = Object.values(idle.outputs);
  const command = `${cli.bin}/drawbridge proxy --via http://${idle.address} --host %h --port %p`;
  const config = outputs.map(({ sshConfig }) =>
    sshConfig.replace(/ProxyCommand .*/g, `ProxyCommand ${command}`),
  );
  await idle.laptop.configure(config.join("\n"), outputs.map(({ knownHosts }) => knownHosts).join("\n"));

  await idle.putToSleep(...names);
  sessions = Array.from({ length: many }, (_, at) =>
    idle.laptop.openCounter(names[at % names.length] ?? "", 1000),
  );
  for (const session of sessions) await session.reached(2, 180);
});
afterAll(async () => {
  await Promise.all((sessions ?? []).map((session) => session.close()));
  await idle.close();
  await cli?.remove();
});

const deployment = () => `deployment/${idle.gatewayName}-activator`;
const lost = () => sessions.filter(({ alive, unbroken }) => !alive || !unbroken).length;

/** Someone who waits for the slow container while this happens. */
async function waitsThrough(happens: () => Promise<unknown>): Promise<void> {
  await idle.putToSleep("slow");
  const waiting = idle.wake("slow", "hostname", 180);
  await eventually("its wake", async () => (await idle.replicas("slow")) === 1);
  await happens();
  expect(await waiting).toMatchObject({ code: 0, stdout: "slow-0\n" });
}

/** By the Eviction API, as a drained node asks. */
function evict(pod: string): Promise<string> {
  const namespace = idle.gatewayName;
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/eviction`;
  return kubectl(["create", "--raw", path, "-f", "-"], JSON.stringify(eviction));
}

it("none of them goes through an activator", async () => {
  const log = await idle.log("activator");
  expect(log.filter(({ outcome }) => outcome === "wake").length).toBeGreaterThanOrEqual(names.length);
  // The first login of each, before there was a ProxyCommand of ours.
  expect(
    log.filter(({ outcome, container }) => outcome === "joined" && container !== `${idle.team}/slow`),
  ).toEqual([]);
});

it(`a roll: 0 of ${many} are lost, who waits arrives, and what sleeps is woken all the while`, async () => {
  await waitsThrough(async () => {
    await kubectl(["-n", idle.gatewayName, "rollout", "restart", deployment()]);
    await kubectl(["-n", idle.gatewayName, "rollout", "status", deployment(), "--timeout=120s"]);
  });
  expect(lost()).toBe(0);
});

it("an eviction of the one that leads: the other takes over, a second is refused meanwhile, and nobody is lost", async () => {
  const { leader, others } = await idle.activators();
  expect(others).toHaveLength(1);
  await waitsThrough(async () => {
    await evict(leader);
    await expect(evict(others[0] ?? "")).rejects.toThrow(/disruption budget/);
    await eventually("the other's lead", async () => (await idle.activators()).leader === others[0], 30);
  });
  expect(lost()).toBe(0);
});

it("both killed: nobody is lost, and the next one wakes what sleeps", async () => {
  await idle.kill("activator");
  await idle.putToSleep("slow");
  expect(await idle.wake("slow", "hostname", 180)).toMatchObject({ code: 0 });
  expect(lost()).toBe(0);
});
