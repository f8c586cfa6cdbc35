import { mkdir, mkdtemp, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { layoutOf } from "./layout.ts";
import { clusterTools, type Plan } from "./plan.ts";
import { linkedTools, linkPrevious, previousOf, previousTools } from "./upgrade.ts";

test("a lab that starts with previous versions runs links to them, and knows what replaces each", async () => {
  const state = await mkdtemp(join(tmpdir(), "drawbridge-previous-"));
  const layout = layoutOf("unit", state);
  const paths = Object.fromEntries(
    [...clusterTools, ...previousTools].map((tool) => [tool, `/tools/${tool}`]),
  );
  const previous = previousOf(paths, "/newer.json");
  expect(previous.istio).toBe("/newer.json");
  const links = linkedTools(layout);
  expect(Object.keys(links)).toHaveLength(5);
  await mkdir(layout.root);
  await linkPrevious({ layout, previous } as Plan);
  for (const [tool, link] of Object.entries(links)) {
    expect(await readlink(link)).toBe(`/tools/previous-${tool}`);
    expect(previous.newer[tool]).toBe(`/tools/${tool}`);
  }
  await rm(state, { recursive: true });
});
