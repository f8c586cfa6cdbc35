/** A login that wakes a sleeping container, beside the bare time from scaling to a login, and one that never slept. */

import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import type { Outcome } from "../../../scripts/lib/lab/lab.ts";
import { byHand, IdleStack, quickStop } from "../../support/stacks/idle-stack.ts";
import { withCleanup } from "../cleanup.ts";
import { Recorder, wait } from "../support/samples.ts";

const runs = Number(process.env.DRAWBRIDGE_BENCH_WAKES ?? 15);

function arrived(what: string, { code, stderr }: Outcome): void {
  if (code !== 0) throw new Error(`${what} ended with code ${code}: ${stderr.trim()}`);
}

async function seconds(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return (performance.now() - began) / 1000;
}

async function run(progress: (line: string) => void): Promise<Samples> {
  return withCleanup(async (later) => {
    const idle = await IdleStack.create("team-bench-wake");
    later(() => idle.close());
    // Of the first an activator takes care, of the second nobody; the third never sleeps.
    await idle.up({ sleeper: { idle: byHand, ...quickStop }, bare: quickStop, awake: {} });
    for (const name of ["sleeper", "bare", "awake"]) await idle.login(name);

    /** Rival -> what is done before, and what is timed. */
    const ways: Readonly<Record<string, { before(): Promise<unknown>; timed(): Promise<void> }>> = {
      drawbridge: {
        before: () => idle.putToSleep("sleeper"),
        timed: async () => arrived("the login that wakes", await idle.wake("sleeper")),
      },
      scaled: {
        before: async () => {
          await idle.scale("bare", 0);
          await idle.podGone("bare");
          await wait(1);
        },
        timed: async () => {
          await idle.scale("bare", 1);
          const end = Date.now() + 120_000;
          while ((await idle.wake("bare")).code !== 0) {
            if (Date.now() > end) throw new Error("no login within two minutes after scaling");
            await wait(0.05);
          }
        },
      },
      awake: {
        before: async () => undefined,
        timed: async () => arrived("a login to one that is awake", await idle.wake("awake")),
      },
    };
    const recorder = new Recorder();
    for (let round = 1; round <= runs; round++) {
      for (const [rival, { before, timed }] of Object.entries(ways)) {
        await before();
        recorder.add(rival, "login", await seconds(timed));
      }
      progress(`round ${round} of ${runs}`);
    }
    return recorder.samples;
  });
}

export const wake: Scenario = {
  name: "wake",
  title: `seconds until a login has run a command, ${runs} times each: asleep, scaled by hand without an activator, awake`,
  run,
};
