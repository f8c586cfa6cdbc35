/** Every argument of every component, in a preview of the real engine: its objects are what the guard makes again. */
import { expect, it } from "vitest";
import { readPreview } from "../../packages/guard/src/index.ts";
import { ownership } from "../../packages/guard/src/ours/index.ts";
import { previewDigest, whole } from "../../scripts/lib/engine/digest.ts";
import { noCluster, testStack } from "../../scripts/lib/engine/engine.ts";
import { everyArgument, make } from "../support/engine/every-argument.ts";

it("makes the objects of every component again", { timeout: 900_000 }, async () => {
  const instances = everyArgument();
  const { stack, removeState } = await testStack(async () => void instances.forEach(make), {
    env: noCluster,
  });
  const changes = readPreview(await previewDigest(stack, whole));
  await removeState();
  const { found, foreign, made } = ownership(changes);
  expect(made).toHaveLength(instances.length);
  expect([...foreign]).toEqual([]);
  // The edits of `name` call several of them the same.
  const isCalledTheSame = /\/renamed is made by .* too$/;
  const texts = found.map(({ change, effect }) => `${change.name} ${effect.text}`);
  expect(texts.filter((text) => !isCalledTheSame.test(text))).toEqual([]);
  expect(changes.filter(({ isCustom }) => isCustom).length).toBeGreaterThan(6900);
});
