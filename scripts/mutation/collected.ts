/**
 * Stands in for vitest in the tests that are run once for each change: it keeps what they declare, so that one process
 * can run them again and again. `expect` is vitest's own.
 */
export { expect, vi } from "vitest";

type Step = () => unknown;

/** What stands in one `describe`, or in a file. */
export interface Group {
  readonly tests: Step[];
  readonly groups: Group[];
  readonly beforeAll: Step[];
  readonly afterAll: Step[];
  readonly beforeEach: Step[];
  readonly afterEach: Step[];
}

const group = (): Group => ({
  tests: [],
  groups: [],
  beforeAll: [],
  afterAll: [],
  beforeEach: [],
  afterEach: [],
});

/** This module may be loaded more than once; there is one place for what is declared. */
const shared = globalThis as { collecting?: Group };
const current = () => {
  if (shared.collecting === undefined) throw new Error("no file is being collected");
  return shared.collecting;
};

/** What a file declares while it is loaded. */
export async function collect(load: () => Promise<unknown>): Promise<Group> {
  const file = group();
  shared.collecting = file;
  await load();
  return file;
}

type Rows = readonly unknown[];
const each =
  <Declare extends (name: string, body: Step) => void>(declare: Declare) =>
  (rows: Rows) =>
  (name: string, body: (...row: unknown[]) => unknown) => {
    for (const row of rows) declare(name, () => body(...(Array.isArray(row) ? row : [row])));
  };

const declareTest = (_name: string, body: Step) => {
  current().tests.push(body);
};
const declareGroup = (_name: string, body: Step) => {
  const outer = current();
  const inner = group();
  outer.groups.push(inner);
  shared.collecting = inner;
  body();
  shared.collecting = outer;
};

export const it = Object.assign(declareTest, { each: each(declareTest) });
export const test = it;
export const describe = Object.assign(declareGroup, { each: each(declareGroup) });
export const beforeAll = (step: Step) => current().beforeAll.push(step);
export const afterAll = (step: Step) => current().afterAll.push(step);
export const beforeEach = (step: Step) => current().beforeEach.push(step);
export const afterEach = (step: Step) => current().afterEach.push(step);
