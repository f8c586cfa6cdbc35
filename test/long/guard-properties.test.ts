/**
 * Random changes of one place of real previews, and random edits beside a model of access; a share of both is in the guard's
 * own tests. GUARD_SEED repeats a run.
 */
import { expect, it, vi } from "vitest";
import { compareWithModel } from "../../packages/guard/src/model/access.fixture.ts";
import { isKnown } from "../../packages/guard/src/model/spoken.fixture.ts";
import {
  type Family,
  familiesOf,
  type Step,
  stepsBetween,
  tryMutations,
} from "../../packages/guard/src/mutations.fixture.ts";
import {
  type KeptSecrets,
  keepSecrets,
  pretendUp,
  previewDigest,
  whole,
} from "../../scripts/lib/engine/digest.ts";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";
import { type RecordedName, recordedCases, recordedStack } from "../../scripts/lib/engine/recorded.ts";
import { everyArgument, make } from "../support/engine/every-argument.ts";

// The provider reads it where the program runs, and none of the objects is in the lab.
vi.stubEnv("KUBECONFIG", undefined);

const seed = Number(process.env.GUARD_SEED ?? Date.now() % 1e9);

const stepsOf = (digest: string) => (JSON.parse(digest) as { steps: Step[] }).steps;

/** Every argument of every component: made, then made again as it is, and edited from what it starts from. */
async function everyFamily(): Promise<Family[]> {
  const secrets: KeptSecrets = new Map();
  let state: "first" | "before" | "after" = "first";
  const program = async () => {
    if (state === "before") keepSecrets(secrets);
    everyArgument(state !== "before").forEach(make);
  };
  const { stack, removeState } = await testStack(program, { env: noCluster });
  const first = stepsOf(await previewDigest(stack, whole));
  state = "before";
  await pretendUp(stack, secrets);
  state = "after";
  const edited = stepsOf(await previewDigest(stack, whole));
  await removeState();
  const states = first.flatMap(({ newState }) => newState ?? []);
  return [first, stepsBetween(states, states), edited].flatMap(familiesOf);
}

/** Upgrades of what an earlier version left. */
async function recordedFamilies(name: RecordedName): Promise<Family[]> {
  const { stack, remove } = await recordedStack(name);
  const steps = stepsOf(await previewDigest(stack, whole));
  await remove();
  return familiesOf(steps);
}

it(`lets no place of a real preview be otherwise that is not known to be harmless (seed ${seed})`, async () => {
  const families = await everyFamily();
  for (const name of Object.keys(recordedCases) as RecordedName[])
    families.push(...(await recordedFamilies(name)));
  const { counts, survivors } = tryMutations(families, 24_000, seed);
  expect(survivors).toEqual([]);
  expect(counts.stopped + counts.harmless).toBeGreaterThan(20_000);
  expect(counts.stopped).toBeGreaterThan(17_000);
});

it(`tells of all access that grows (seed ${seed})`, () => {
  const { grown, silent, spoken } = compareWithModel(30_000, seed);
  expect(silent).toEqual([]);
  expect(grown).toBeGreaterThan(2000);
  expect([...spoken].filter(([saying]) => !isKnown(saying))).toEqual([]);
});
