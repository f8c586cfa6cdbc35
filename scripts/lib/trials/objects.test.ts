/**
 * The objects of every component and what each of its arguments changes in them, whole, as `test/recorded/objects` and
 * `test/recorded/effects` have them: a change of a builder is a changed line in the review.
 * `npm run test:unit -- scripts/lib/trials/objects.test.ts -u` writes them anew.
 */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { tried } from "./index.ts";
import { effectsOf, madeOf, startsOf, yamlOf } from "./objects.fixture.ts";

const recorded = (file: string) => fileURLToPath(new URL(`../../../test/recorded/${file}`, import.meta.url));

const starts = [...tried].flatMap(([title, { base, full }]) => [
  { title, file: title, args: base("it") },
  ...(full ? [{ title, file: `${title}-full`, args: { ...base("it"), ...full } }] : []),
]);

it.each(starts)("$file makes what is recorded", async ({ title, file, args }) => {
  const made = madeOf(title, args);
  expect(typeof made === "string" ? made : "").toBe("");
  await expect(yamlOf(made)).toMatchFileSnapshot(recorded(`objects/${file}.yaml`));
});

it.each([...tried])("each argument of %s changes what is recorded", async (title, kind) => {
  const trials = Object.entries({ ...kind.trials, ...kind.parts });
  const blocks = trials.map(([path, trial]) => effectsOf(title, kind, path, trial));
  await expect(`${[...startsOf(title, kind), ...blocks].join("\n")}\n`).toMatchFileSnapshot(
    recorded(`effects/${title}.txt`),
  );
});
