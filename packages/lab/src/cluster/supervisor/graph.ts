/** One thing to do on the way up: start a program, or set something up. */
export interface Step {
  name: string;
  /** Names of the steps that must be done before this one begins. */
  after: readonly string[];
  run: () => Promise<void>;
}

/** How long one step took, in seconds since the first began. */
export interface StepTime {
  name: string;
  began: number;
  ended: number;
}

/**
 * Runs every step as soon as those it comes after are done, side by side otherwise. The first failure is thrown
 * with the name of its step.
 */
export async function runSteps(
  steps: readonly Step[],
  done: (time: StepTime) => void = () => {},
): Promise<void> {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  const running = new Map<string, Promise<void>>();
  const begin = (name: string, asked: readonly string[]): Promise<void> => {
    if (asked.includes(name)) throw new Error(`steps wait for each other: ${[...asked, name].join(" -> ")}`);
    const step = steps.find((candidate) => candidate.name === name);
    if (step === undefined) throw new Error(`${asked.at(-1)} comes after "${name}", which is no step`);
    const known = running.get(name);
    if (known !== undefined) return known;
    const before = step.after.map((earlier) => begin(earlier, [...asked, name]));
    const work = Promise.all(before).then(async () => {
      const began = seconds();
      await step.run().catch((error: unknown) => {
        throw new StepError(name, error);
      });
      done({ name, began, ended: seconds() });
    });
    running.set(name, work);
    return work;
  };
  await Promise.all(steps.map(({ name }) => begin(name, [])));
}

/** A step failed. */
export class StepError extends Error {
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(`${step}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.step = step;
  }
}
