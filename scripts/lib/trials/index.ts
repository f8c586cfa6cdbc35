/** The trials of every component in the registry, each from `args.trials.ts` of its folder, and the verdicts on them. */
import type { Tried } from "@drawbridge-iac/drawbridge/src/kit/trials.fixture";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import { teamFileSchema } from "@drawbridge-iac/drawbridge/src/stacks/schema";
import { teamFile } from "@drawbridge-iac/drawbridge/src/stacks/schema.trials";
import type { z } from "zod";
import { effectAt } from "../argument-groups.ts";
import { verdictOf } from "./effects.ts";

export type Title = (typeof registry)[number]["title"];

export interface TriedKind extends Tried {
  readonly schema: z.ZodType;
}

// What has an entry of its own is a program's own, as the cluster's certificates are.
const components = registry.filter((one) => !("entry" in one) || one.entry === undefined);

/** By the component's class. */
export const tried: ReadonlyMap<Title, TriedKind> = new Map(
  await Promise.all(
    components.map(async ({ title, folder, args }) => {
      const trials: Readonly<Record<string, Tried>> = await import(
        `../../../packages/drawbridge/src/${folder}/args.trials.ts`
      );
      const own = trials[title];
      if (own === undefined) throw new Error(`${folder}/args.trials.ts exports no ${title}`);
      return [title, { ...own, schema: args }] as const;
    }),
  ),
);

/** The trials of a component that there is. */
export function trialsOf(title: Title): TriedKind {
  const found = tried.get(title);
  if (found === undefined) throw new Error(`${title} has no trials`);
  return found;
}

/** Of a team's stack file. */
export const triedTeamFile: TriedKind = { ...teamFile, schema: teamFileSchema };

/** Components and a team's file, as `docs/fields.md` has them. */
export const triedKinds: ReadonlyMap<string, TriedKind> = new Map<string, TriedKind>([
  ["team", triedTeamFile],
  ...tried,
]);

/** The verdict that is expected of each trial, by its path. */
export function expectedVerdicts({
  schema,
  trials,
}: Pick<TriedKind, "schema" | "trials">): Record<string, string> {
  return Object.fromEntries(
    Object.entries(trials).map(([path, trial]) => {
      const verdict = trial.verdict ?? verdictOf(effectAt(schema, path)?.effect ?? []);
      if (verdict === undefined)
        throw new Error(`the trial of ${path} needs a verdict: its schema gives none`);
      return [path, verdict];
    }),
  );
}
