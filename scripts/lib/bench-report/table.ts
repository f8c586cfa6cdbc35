/** The bench's figures as a table for people. */
import type { Samples } from "./scenario.ts";
import { median } from "./statistics.ts";

/** One line per rival and figure: how many runs, median, lowest and highest, and the ratio to drawbridge. */
export function table(samples: Samples): string {
  const ours = samples.drawbridge ?? {};
  const rows = Object.entries(samples).flatMap(([rival, figures]) =>
    Object.entries(figures).map(([figure, values]) => {
      const own = ours[figure];
      const ratio = own === undefined || median(own) === 0 ? "" : number(median(values) / median(own));
      const spread = `${number(Math.min(...values))} to ${number(Math.max(...values))}`;
      return [figure, rival, String(values.length), number(median(values)), spread, ratio];
    }),
  );
  const all = [["figure", "rival", "runs", "median", "spread", "ratio"], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const number = (value: number) => String(Number(value.toPrecision(4)));
