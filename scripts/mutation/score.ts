/** What came of the changes: the score of each file, and which nobody noticed. */
import { readFileSync } from "node:fs";
import type { Change } from "./instrumented.ts";

/** The changes of each file, and its text. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly replacement: string;
  /** What the tests did: `passed` and `not met` say that nobody noticed. */
  readonly outcome: string;
  readonly location: Change["location"];
}

type Position = Change["location"]["start"];

export function reportOf(changes: readonly Change[], outcomes: ReadonlyMap<string, string>): MutationReport {
  const files: Record<string, { source: string; mutants: Mutant[] }> = {};
  for (const { id, file, replacement, location } of changes) {
    const outcome = outcomes.get(id) ?? "not tried";
    files[file] ??= { source: readFileSync(file, "utf8"), mutants: [] };
    files[file].mutants.push({ replacement, location, outcome });
  }
  return { files };
}

/** Why a change that nobody noticed does not matter. */
export interface Explanation {
  readonly file: string;
  /** The code before and after. */
  readonly code: string;
  readonly replacement: string;
  readonly why: string;
}

export interface Survivor {
  readonly line: number;
  readonly code: string;
  readonly replacement: string;
  readonly why: string | undefined;
}

export interface FileScore {
  readonly file: string;
  readonly noticed: number;
  readonly survivors: readonly Survivor[];
}

/** Outcomes by which the tests notice a change. */
const noticedOutcomes = ["failed", "late"];

export function score(report: MutationReport, explained: readonly Explanation[]): FileScore[] {
  return Object.entries(report.files).map(([file, { source, mutants }]) => {
    const survivors = mutants
      .filter(({ outcome }) => !noticedOutcomes.includes(outcome))
      .map(({ location, replacement }) => {
        const code = textAt(source, location.start, location.end);
        const known = explained.find(
          (one) => one.file === file && one.code === code && one.replacement === replacement,
        );
        return { line: location.start.line, code, replacement, why: known?.why };
      });
    return {
      file,
      noticed: mutants.filter(({ outcome }) => noticedOutcomes.includes(outcome)).length,
      survivors,
    };
  });
}

/** Lines and columns count from 1; the end is behind the last character. */
function textAt(source: string, start: Position, end: Position): string {
  const lines = source.split("\n");
  const offset = ({ line, column }: Position) =>
    lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  return source.slice(offset(start), offset(end));
}

function percent({ noticed, survivors }: FileScore): number {
  const all = noticed + survivors.length;
  return all === 0 ? 100 : (100 * noticed) / all;
}

const short = (code: string) => {
  const line = code.replaceAll(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};

export function render(scores: readonly FileScore[]): string {
  const whole = {
    file: "all",
    noticed: scores.reduce((sum, { noticed }) => sum + noticed, 0),
    survivors: scores.flatMap(({ survivors }) => survivors),
  };
  const lines = [...scores, whole].map((one) => {
    const counts = `${one.noticed} of ${one.noticed + one.survivors.length}`;
    return `${percent(one).toFixed(1).padStart(5)} %  ${counts.padStart(12)}  ${one.file}`;
  });
  const survivors = scores.flatMap(({ file, survivors }) =>
    survivors.map(
      ({ line, code, replacement, why }) =>
        `${file}:${line}: ${short(code)} → ${short(replacement) || "(nothing)"}: ${why ?? "NOT EXPLAINED"}`,
    ),
  );
  return ["", ...lines, "", ...survivors].join("\n");
}

/** 0 where every file has 90 % and every survivor its explanation. */
export function closing(scores: readonly FileScore[]): 0 | 1 {
  const low = scores.some((one) => percent(one) < 90);
  return low || scores.some(({ survivors }) => survivors.some(({ why }) => why === undefined)) ? 1 : 0;
}
