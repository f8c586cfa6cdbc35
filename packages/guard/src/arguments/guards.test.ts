import { argTexts, type Effect, groupTexts } from "@drawbridge-iac/drawbridge/src/kit/arg";
import { innermost } from "@drawbridge-iac/drawbridge/src/kit/schema";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import { expect, it } from "vitest";
import type { z } from "zod";

/** Rows below a schema that open or close something, of which nobody says what the guard makes of it. */
function silent(
  schema: z.core.$ZodType,
  effect: readonly Effect[] = [],
  found = new Set<string>(),
): Set<string> {
  const group = innermost(schema);
  const def = group._zod.def as z.core.$ZodTypes["_zod"]["def"];
  if (def.type !== "object") return found;
  const texts = groupTexts.get(group);
  for (const [name, row] of Object.entries(def.shape)) {
    const said = argTexts.get(row);
    const has = said?.effect ?? texts?.effect ?? effect;
    if (said?.guard !== undefined) continue;
    const inner = innermost(row)._zod.def as z.core.$ZodTypes["_zod"]["def"];
    const opens = has.includes("opens") || has.includes("closes");
    if (opens && inner.type !== "object") found.add(`${texts?.name}.${name}`);
    silent(row, has, found);
  }
  return found;
}

it("is said of each argument that opens or closes something", () => {
  expect(registry.flatMap(({ args }) => [...silent(args)])).toEqual([]);
});
