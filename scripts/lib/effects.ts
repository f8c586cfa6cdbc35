/** What an edit of an argument does to something that runs, as its row or its group says. */
import { argTexts, type Effect, groupTexts, innermost } from "@drawbridge-iac/manifests";
import type { z } from "zod";

/** What is said of one place in a file, and the row or group that says it. */
export interface SaidEffect {
  readonly effect: readonly Effect[];
  readonly by: z.core.$ZodType;
}

/** @param path as in `access.frp.token` or `ports[0].name`; what follows a space tells several edits of one apart */
export function effectAt(root: z.core.$ZodType, path: string): SaidEffect | undefined {
  let said: SaidEffect | undefined;
  let schema = root;
  const note = (effect: readonly Effect[] | undefined, by: z.core.$ZodType) => {
    if (effect !== undefined) said = { effect, by };
  };
  for (const part of path.replace(/ .*/, "").split(".")) {
    const group = innermost(schema);
    note(groupTexts.get(group)?.effect, group);
    const { def } = group._zod as z.core.$ZodTypes["_zod"];
    const field = def.type === "object" ? def.shape[part.replace(/\[\d+\]$/, "")] : undefined;
    if (field === undefined) return undefined;
    note(argTexts.get(field)?.effect, field);
    schema = field;
  }
  return said;
}
