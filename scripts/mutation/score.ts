/** What a report of Stryker says: the score of each file, and which changes nobody noticed. */

/** The part of Stryker's JSON report that is read here. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
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

const NOTICED = ["Killed", "Timeout"];
const SURVIVED = ["Survived", "NoCoverage"];

export function score(report: MutationReport, explained: readonly Explanation[]): FileScore[] {
  return Object.entries(report.files).map(([file, { source, mutants }]) => {
    const survivors = mutants
      .filter(({ status }) => SURVIVED.includes(status))
      .map(({ location, replacement = "" }) => {
        const code = textAt(source, location.start, location.end);
        const known = explained.find(
          (one) => one.file === file && one.code === code && one.replacement === replacement,
        );
        return { line: location.start.line, code, replacement, why: known?.why };
      });
    return { file, noticed: mutants.filter(({ status }) => NOTICED.includes(status)).length, survivors };
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
