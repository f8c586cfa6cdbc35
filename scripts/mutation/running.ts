/** Runs collected tests, all of a file or some of them, until the first that fails. */
import type { Group } from "./collected.ts";

/** What Stryker's instrumented code reads and writes. */
export interface Switch {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

export type Test = Group["tests"][number];
export type Outcome = "passed" | "failed" | "late";

export interface Options {
  /** Those to run; all by default. */
  readonly only?: ReadonlySet<Test>;
  readonly seconds: number;
  /** Is told before and after each test. */
  readonly around?: (test: Test, run: () => Promise<void>) => Promise<void>;
}

class Late extends Error {}

function within(seconds: number, run: () => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Late(`longer than ${seconds} s`)), seconds * 1000);
    Promise.resolve()
      .then(run)
      .then(() => resolve(), reject)
      .finally(() => clearTimeout(timer));
  });
}

const has = (group: Group, only: Options["only"]): boolean =>
  only === undefined ||
  group.tests.some((test) => only.has(test)) ||
  group.groups.some((one) => has(one, only));

/** @returns the first failure, or undefined */
export async function runGroup(
  group: Group,
  options: Options,
  before: readonly Test[] = [],
  after: readonly Test[] = [],
): Promise<{ outcome: Exclude<Outcome, "passed">; error: unknown } | undefined> {
  if (!has(group, options.only)) return undefined;
  const { only, seconds, around = (_test, run) => run() } = options;
  const first = [...before, ...group.beforeEach];
  const last = [...group.afterEach, ...after];
  const each = async (steps: readonly Test[]) => {
    for (const step of steps) await within(seconds, step);
  };
  let failure: { outcome: Exclude<Outcome, "passed">; error: unknown } | undefined;
  const attempt = async (run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      failure ??= { outcome: error instanceof Late ? "late" : "failed", error };
    }
  };
  await attempt(() => each(group.beforeAll));
  for (const test of group.tests) {
    if (failure !== undefined) break;
    if (only !== undefined && !only.has(test)) continue;
    await attempt(() =>
      around(test, async () => {
        try {
          await each(first);
          await within(seconds, test);
        } finally {
          await each(last);
        }
      }),
    );
  }
  for (const one of group.groups) {
    if (failure !== undefined) break;
    failure = await runGroup(one, options, first, last);
  }
  await attempt(() => each(group.afterAll));
  return failure;
}
