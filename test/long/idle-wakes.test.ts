/** Many sleeps and wakes: no login fails, nothing of the container changes, and the others notice nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, getObject } from "../../scripts/lib/lab/lab.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

/** In each of them two containers sleep and wake. */
const rounds = Number(process.env.DRAWBRIDGE_WAKES ?? 100);
const many = Number(process.env.DRAWBRIDGE_SLEEPERS ?? 20);
const both = ["dev1", "dev2"] as const;
const sleeper = { idle: byHand, ...quickStop };
const sleepers = Array.from({ length: many }, (_, index) => `s${index + 1}`);

let idle: IdleStack;
beforeAll(async () => {
  idle = await IdleStack.create("team-wakes");
  await idle.up({ dev1: sleeper, dev2: sleeper, steady: {} });
  for (const name of [...both, "steady"]) await idle.login(name);
});
afterAll(() => idle.close());

/** What must be as it was: by its uid, so that an object made anew is another. */
async function identity(name: string): Promise<unknown> {
  const of = async (kind: string, object: string) => {
    const { metadata, spec } = await getObject<{ metadata: { uid: string }; spec: object }>([
      "-n",
      idle.team,
      kind,
      object,
    ]);
    return { uid: metadata.uid, spec };
  };
  return Promise.all([
    of("persistentvolumeclaim", `${name}-home`),
    of("service", name),
    of("virtualservice", `${name}-ssh`),
    of("poddisruptionbudget", name),
  ]);
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const text = (values: readonly number[]) =>
  `median ${Math.round(middle(values))} ms, worst ${Math.round(Math.max(...values))} ms`;

describe("waking", () => {
  it(`${2 * rounds} wakes by plain ssh, all of them logins; home, host key, names, routes and budget are the same`, async () => {
    const steady = idle.laptop.openCounter("steady");
    await steady.reached(1);
    for (const name of both) expect((await idle.wake(name, `echo ${name} > ~/kept`)).code).toBe(0);
    const before = await idle.listenerCounters();
    const objects = await Promise.all(both.map(identity));
    const failed: string[] = [];
    const took: number[] = [];
    const withoutActivator: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await idle.putToSleep(...both);
      for (const name of both) {
        const begun = performance.now();
        // known_hosts is strict: another host key fails the login.
        const { code, stdout, stderr } = await idle.wake(name, "cat ~/kept", 60);
        took.push(performance.now() - begun);
        if (code !== 0 || stdout !== `${name}\n`) failed.push(`${round} ${name}: ${code} ${stderr.trim()}`);
      }
      if (round < 50) expect(await Promise.all(both.map(identity))).toEqual(objects);
      if (round % 10 === 0) withoutActivator.push(await scaledLogin("dev1"));
    }
    const bare = `without an activator: ${text(withoutActivator)} of ${withoutActivator.length}`;
    console.log(`wake: ${text(took)} of ${took.length}; ${bare}`);
    expect(failed).toEqual([]);
    expect([steady.alive, steady.unbroken]).toEqual([true, true]);
    await steady.close();
    expect(await idle.listenerCounters()).toEqual(before);
  }, 2_400_000);

  /** Milliseconds to a login without an activator: scaled by hand, then ssh again and again. */
  async function scaledLogin(name: string): Promise<number> {
    await idle.putToSleep(name);
    const begun = performance.now();
    await idle.scale(name, 1);
    await eventually(`a login to ${name}`, async () => (await idle.wake(name)).code === 0, 90);
    return performance.now() - begun;
  }

  it(`${many} sleepers that are woken at once all arrive`, async () => {
    await idle.up({ ...idle.containers, ...Object.fromEntries(sleepers.map((name) => [name, sleeper])) });
    await idle.putToSleep(...sleepers);
    const begun = performance.now();
    const outcomes = await Promise.all(sleepers.map((name) => idle.wake(name, "hostname", 240)));
    console.log(`${many} at once: all within ${Math.round(performance.now() - begun)} ms`);
    expect(outcomes.map(({ stdout }) => stdout.trim())).toEqual(sleepers.map((name) => `${name}-0`));
  });
});
