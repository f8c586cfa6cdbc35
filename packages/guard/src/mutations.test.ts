/** Random changes of one place of a preview, by components that are registered without an engine; of real previews: test/long/guard-properties.test.ts. */
import { expect, it } from "vitest";
import { everyArgument } from "../../../test/support/engine/every-argument.ts";
import { registered } from "../../../test/support/registered.ts";
import { familiesOf, stepsBetween, tryMutations } from "./mutations.fixture.ts";

const provider = "urn:pulumi:stack::project::pulumi:providers:kubernetes::default::id";

async function states(isEdited: boolean) {
  const some = everyArgument(isEdited).filter((_, index) => index % 10 === 0);
  return (await registered(some)).map((state) => (state.custom ? { ...state, provider } : state));
}

it("lets no place be otherwise that is not known to be harmless", { timeout: 180_000 }, async () => {
  const [before, after] = [await states(false), await states(true)];
  const steps = [stepsBetween([], after), stepsBetween(after, after), stepsBetween(before, after)];
  const { counts, survivors } = tryMutations(
    steps.flatMap(familiesOf),
    Number(process.env.RUNS ?? 200),
    Number(process.env.SEED ?? 45),
  );
  expect(survivors).toEqual([]);
  expect(counts.stopped).toBeGreaterThan(120);
});
