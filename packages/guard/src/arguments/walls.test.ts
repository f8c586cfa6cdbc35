import { groupTexts } from "@drawbridge-iac/drawbridge/src/kit/arg";
import { innermost } from "@drawbridge-iac/drawbridge/src/kit/schema";
import { expect, it } from "vitest";
import type { z } from "zod";
import { components } from "../ours/components.ts";
import { walls } from "./walls.ts";

/** `Group.field` of every row below a schema. */
function rows(schema: z.core.$ZodType, found = new Set<string>()): Set<string> {
  const group = innermost(schema);
  const def = group._zod.def as z.core.$ZodTypes["_zod"]["def"];
  if (def.type !== "object") return found;
  for (const [name, row] of Object.entries(def.shape)) {
    const title = `${groupTexts.get(group)?.name}.${name}`;
    if (found.has(title)) continue;
    found.add(title);
    for (const base of groupTexts.get(group)?.extends ?? []) found.add(`${base}.${name}`);
    rows(row, found);
  }
  return found;
}

it("stand at arguments that there are", () => {
  const known = new Set(Object.values(components).flatMap(({ args }) => [...rows(args)]));
  expect(Object.keys(walls).filter((row) => !known.has(row))).toEqual([]);
});
