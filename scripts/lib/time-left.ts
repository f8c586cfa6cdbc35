/** A reporter of vitest: says how long the files will take and how long is left, and keeps how long each took. */
import { relative } from "node:path";
import type { Reporter, TestModule, TestSpecification } from "vitest/node";
import { duration, pastDurations } from "../../packages/lab/src/progress.ts";

/** What a file took the last time; about the usual, where that is not known. */
export function durationsOfFiles(): (file: string) => number {
  const past = pastDurations();
  return (file) => past.of(file) ?? 4 * 60_000;
}

/** @public vitest loads it by the name of the file. */
export default class TimeLeft implements Reporter {
  readonly #left = new Set<string>();
  readonly #durationOf = durationsOfFiles();
  #all = 0;

  onTestRunStart(specifications: readonly Pick<TestSpecification, "moduleId">[]): void {
    for (const { moduleId } of specifications) this.#left.add(fileOf(moduleId));
    this.#all = this.#left.size;
    for (const file of this.#left) console.log(`  ${file}: about ${duration(this.#durationOf(file))}`);
    this.#say();
  }

  onTestModuleEnd(module: Pick<TestModule, "moduleId" | "diagnostic" | "children">): void {
    const file = fileOf(module.moduleId);
    this.#left.delete(file);
    // What failed or was left out says nothing of the next run.
    const tests = [...module.children.allTests()];
    if (tests.length > 0 && tests.every((test) => test.result().state === "passed"))
      pastDurations().keep(file, module.diagnostic().duration);
    this.#say();
  }

  #say(): void {
    const sum = [...this.#left].map(this.#durationOf).reduce((total, one) => total + one, 0);
    console.log(`${this.#left.size} of ${this.#all} files left, about ${duration(sum)}`);
  }
}

const fileOf = (moduleId: string) => relative(process.cwd(), moduleId);
