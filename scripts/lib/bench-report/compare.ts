/** A run beside an earlier one's document: which ratios to a rival got worse by more than they spread. */

import { unitOf } from "./format.ts";
import { type BenchDocument, figuresOf } from "./json.ts";
import type { Samples } from "./scenario.ts";
import { median } from "./statistics.ts";

/** The spread that a figure of one or two runs is taken to have, as a part of it. */
const unknownSpread = 0.1;

/** Ours as a multiple of the rival's, so that less is better whatever the figure counts. */
const cost = (figure: string, ours: number, rival: number) =>
  unitOf(figure) === "rate" ? rival / ours : ours / rival;

/** The lowest ratio that these runs allow. */
function lowest(figure: string, ours: readonly number[], rival: readonly number[]): number {
  const middle = cost(figure, median(ours), median(rival));
  if (Math.min(ours.length, rival.length) < 3) return middle * (1 - unknownSpread);
  return Math.min(...ours.flatMap((own) => rival.map((other) => cost(figure, own, other))));
}

/** One line for each ratio that got worse, and for each that the earlier run had and this one has not. */
export function stepsBack(before: BenchDocument, results: Readonly<Record<string, Samples>>): string[] {
  return Object.entries(results).flatMap(([scenario, samples]) => {
    const { drawbridge: oursBefore = {}, ...rivalsBefore } = figuresOf(before, scenario) ?? {};
    return Object.entries(rivalsBefore).flatMap(([rival, figures]) =>
      Object.entries(figures).flatMap(([figure, value]) => {
        const earlier = cost(figure, oursBefore[figure] ?? Number.NaN, value);
        // Of nothing there is no multiple.
        if (!Number.isFinite(earlier)) return [];
        const what = `${scenario}: ${figure} beside ${rival}`;
        const [ours, theirs] = [samples.drawbridge?.[figure], samples[rival]?.[figure]];
        if (ours === undefined || theirs === undefined) return [`${what}: not measured any more`];
        const low = lowest(figure, ours, theirs);
        if (!(low > earlier)) return [];
        const now = cost(figure, median(ours), median(theirs));
        return [`${what}: ${times(now)} (at least ${times(low)}), before ${times(earlier)}`];
      }),
    );
  });
}

const times = (ratio: number) => `${Number(ratio.toPrecision(3))} ×`;
