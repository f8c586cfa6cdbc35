/** What the records of drills come to, kind by kind, as docs/reliability.md shows it. */
import { median } from "../bench-report/statistics.ts";
import { type DrillRecord, summary } from "./record.ts";

/** The sums, and a row for each kind of fault, the slowest to be whole again first. */
export function recordTable(records: readonly DrillRecord[]): string {
  const entries = records.flatMap((record) => record.entries);
  const kinds = Map.groupBy(
    entries.filter(({ notInjected }) => notInjected === undefined),
    ({ fault }) => fault,
  );
  const rows = [...kinds]
    .map(([kind, own]) => ({ kind, own, typical: median(own.map(({ seconds }) => seconds)) }))
    .toSorted((a, b) => b.typical - a.typical)
    .map(({ kind, own }) => {
      const cells = [
        kind,
        own.length,
        spread(own.map(({ seconds }) => seconds)),
        spread(own.flatMap(({ logins }) => Object.values(logins))),
        own.reduce((sum, { ended }) => sum + ended, 0),
        spread(own.flatMap(({ told }) => told ?? [])),
        own.flatMap(({ breaches }) => breaches).length,
      ];
      return `| ${cells.join(" | ")} |`;
    });
  return [
    `${new Set(records.map(({ seed }) => seed)).size} seeds: ${summary(entries)}.`,
    "",
    "| fault | times | whole again | login then | sessions ended | their clients told | breaches |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Median and worst. */
const spread = (seconds: readonly number[]) =>
  seconds.length === 0 ? "" : `${tenths(median(seconds))}, ${tenths(Math.max(...seconds))} s`;

const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
