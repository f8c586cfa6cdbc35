/** The sources with all their changes in them, each behind a switch, by Stryker's instrumenter. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

export interface Change {
  readonly id: string;
  readonly file: string;
  readonly replacement: string;
  readonly location: Record<"start" | "end", { readonly line: number; readonly column: number }>;
}

const silent = () => {};
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** @returns the text of each file by its absolute path, and what is changed in them */
export async function instrument(files: readonly string[]) {
  const sources = files.map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const made = await new Instrumenter(logger).instrument(sources, options);
  const from1 = ({ line, column }: { line: number; column: number }) => ({
    line: line + 1,
    column: column + 1,
  });
  const changes = made.mutants.map(({ id, fileName, replacement, location }): Change => {
    const at = { start: from1(location.start), end: from1(location.end) };
    return { id, file: fileName, replacement, location: at };
  });
  return { texts: new Map(made.files.map(({ name, content }) => [resolve(name), content])), changes };
}
