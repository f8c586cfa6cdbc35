/** Makes one change after the other in the code that is loaded, and notes whether a test fails. */
import { appendFileSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject, it, vi } from "vitest";
import { collect, type Group } from "./collected.ts";
import type { Change } from "./instrumented.ts";
import { type Options, runGroup, type Switch, type Test } from "./running.ts";

declare module "vitest" {
  interface ProvidedContext {
    changes: readonly Change[];
    /** Test files. */
    tests: readonly string[];
    /** The file that is told of each change before and after it is tried. */
    notes: string;
    /** Changes that were tried before. */
    done: readonly string[];
  }
}

interface File {
  readonly path: string;
  readonly group: Group;
}

/** Time that one test may take. */
const seconds = 20;
const state: Switch = { mutantCoverage: { static: {}, perTest: {} } };
(globalThis as { __stryker__?: Switch }).__stryker__ = state;

const load = (path: string) => collect(() => import(/* @vite-ignore */ path));

/** The changes that are met while this runs, and how often. */
async function metBy(run: () => Promise<unknown>): Promise<Record<string, number>> {
  state.mutantCoverage.static = {};
  await run();
  return state.mutantCoverage.static;
}

async function mustPass({ path, group }: File, when: string, around?: Options["around"]): Promise<void> {
  const failure = await runGroup(group, { seconds, ...(around === undefined ? {} : { around }) });
  if (failure !== undefined) throw new Error(`${path} fails ${when}`, { cause: failure.error });
}

/** The tests that meet each change, and how often all of them do. */
const meeting = new Map<string, { readonly tests: Set<Test>; hits: number }>();

async function noteMet(test: Test, run: () => Promise<void>): Promise<void> {
  state.currentTestId = "now";
  state.mutantCoverage.perTest.now = {};
  await run();
  delete state.currentTestId;
  for (const [id, hits] of Object.entries(state.mutantCoverage.perTest.now)) {
    const met = meeting.get(id) ?? { tests: new Set(), hits: 0 };
    met.tests.add(test);
    met.hits += hits;
    meeting.set(id, met);
  }
}

/** The files that stand near a source first, its own test before all. */
function nearest<One extends { path: string }>(files: readonly One[], source: string): One[] {
  const own = source.replace(/\.ts$/, ".test.ts");
  const folders = source.split("/");
  const nearness = ({ path }: One) => {
    const parts = path.split("/");
    return path === own
      ? Number.POSITIVE_INFINITY
      : folders.findIndex((folder, index) => folder !== parts[index]);
  };
  return files.toSorted((a, b) => nearness(b) - nearness(a));
}

const note = (id: string, outcome: string) =>
  appendFileSync(inject("notes"), `${JSON.stringify({ id, outcome })}\n`);

/** Turns a change on while this runs, and notes what came of it. */
async function tryOne<What extends string>({ id }: Change, run: () => Promise<What>): Promise<What> {
  note(id, "begun");
  state.activeMutant = id;
  state.hitCount = 0;
  state.hitLimit = (meeting.get(id)?.hits ?? 0) * 100 + 100_000;
  try {
    const outcome = await run();
    note(id, outcome);
    return outcome;
  } finally {
    delete state.activeMutant;
    delete state.hitCount;
  }
}

const testsOf = ({ tests, groups }: Group): Test[] => [...tests, ...groups.flatMap(testsOf)];

it("tries each change", async () => {
  const paths = inject("tests");
  const done = new Set(inject("done"));
  const root = process.cwd();
  const changes = inject("changes").filter(({ id }) => !done.has(id));
  // A changed program may lose the name of the folder that it writes to; that must not be the work tree.
  const here = join(dirname(inject("notes")), `tree-${process.pid}`);
  mkdirSync(here);
  for (const name of readdirSync(root)) symlinkSync(join(root, name), join(here, name));
  process.chdir(here);
  const files: File[] = [];
  const atLoad = await metBy(async () => {
    for (const path of paths) files.push({ path, group: await load(path) });
    for (const file of files) await mustPass(file, "without a change", noteMet);
  });
  // A test that used up what it stands on says nothing the second time.
  const again: File[] = [];
  for (const file of files) if ((await runGroup(file.group, { seconds })) === undefined) again.push(file);
  const repeatable = new Set(again.flatMap(({ group }) => testsOf(group)));
  const later: Change[] = [];

  for (const one of changes) {
    const { id } = one;
    const tests = [...(meeting.get(id)?.tests ?? [])];
    if (id in atLoad) later.push(one);
    else if (tests.length === 0) note(id, "not met");
    else {
      const only = new Set(tests.filter((test) => repeatable.has(test)));
      const outcome = await tryOne(one, async () => {
        for (const { group } of nearest(again, join(root, one.file))) {
          const failure = await runGroup(group, { seconds, only });
          if (failure !== undefined) return failure.outcome;
        }
        return only.size < tests.length ? "later" : "passed";
      });
      if (outcome === "later") later.push(one);
    }
  }
  // What a change left behind must not have failed the tests after it.
  for (const file of again) await mustPass(file, "after all changes");

  // What is met while a file is loaded needs files that are loaded anew.
  const loading: { path: string; meets: Readonly<Record<string, number>> }[] = [];
  for (const path of paths) {
    vi.resetModules();
    const meets = await metBy(async () => mustPass({ path, group: await load(path) }, "without a change"));
    loading.push({ path, meets });
  }
  for (const one of later) {
    await tryOne(one, async () => {
      const meetsIt = loading.filter(({ meets }) => one.id in meets);
      for (const { path } of nearest(meetsIt, join(root, one.file))) {
        vi.resetModules();
        const group = await load(path).catch(() => undefined);
        if (group === undefined) return "failed";
        const failure = await runGroup(group, { seconds });
        if (failure !== undefined) return failure.outcome;
      }
      return "passed";
    });
  }
  note("", "ended");
});
