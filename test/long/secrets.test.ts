/** Secrets in words: sixty places of stack files, drawn from a seed. The first of the kind: `test/engine/secrets.test.ts`. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ProjectCopy } from "../../scripts/lib/stacks/stacks.ts";
import { leaksAt } from "../support/secrets/draw.ts";

let project: ProjectCopy;

beforeAll(async () => {
  project = await ProjectCopy.create({ cluster: false });
});
afterAll(() => project.remove());

it("no piece of a secret is in preview, up, report or validate, wherever in the file it is put", async () => {
  const { bad, seen } = await leaksAt(
    project,
    { platform: 20, team: 40 },
    process.env.DRAWBRIDGE_SEED ?? "long",
  );
  console.log(seen);
  expect(bad).toEqual([]);
  expect(seen.places).toBe(60);
});
