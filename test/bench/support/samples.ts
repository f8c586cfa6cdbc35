/** Collects what the scenarios measure. */
import type { Samples } from "../../../scripts/lib/bench-report/scenario.ts";

/** Numbers by rival and figure, in the order in which they came. */
export class Recorder {
  readonly #samples: Record<string, Record<string, number[]>> = {};

  add(rival: string, figure: string, ...values: readonly number[]): void {
    this.#samples[rival] ??= {};
    const figures = this.#samples[rival];
    figures[figure] ??= [];
    figures[figure].push(...values);
  }

  get samples(): Samples {
    return this.#samples;
  }
}

/** The smallest value that `share` of all values do not exceed, for example 0.99; all values stay as they are. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error("no values");
  return value;
}

export const wait = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
