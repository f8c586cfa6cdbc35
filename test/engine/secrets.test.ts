/** Secrets in words: what the real CLI and the guard say of stack files with a secret where none may stand. More: test/long. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ProjectCopy } from "../../scripts/lib/stacks/stacks.ts";
import { leaksAt } from "../support/secrets/draw.ts";

let project: ProjectCopy;

beforeAll(async () => {
  project = await ProjectCopy.create({ cluster: false });
});
afterAll(() => project.remove());

it("no piece of a secret is in preview, up, report or validate, wherever in the file it is put", async () => {
  const { bad, seen } = await leaksAt(project, { platform: 4, team: 8 }, "engine");
  console.log(seen);
  expect(bad).toEqual([]);
});
