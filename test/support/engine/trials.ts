/** Makes each trial of an argument for real, to a component of its own: the engine compares with a state, the guard judges. */
import type { Descriptor } from "@drawbridge-iac/drawbridge/src/kubernetes/descriptor";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import * as k8s from "@pulumi/kubernetes";
import { expect } from "vitest";
import { containerBase } from "../../../packages/drawbridge/src/host/base.trials.ts";
import { keysOf } from "../../../packages/drawbridge/src/host/keys/people.ts";
import { ownTeam } from "../../../packages/drawbridge/src/stacks/program/teams.ts";
import { teamFileSchema } from "../../../packages/drawbridge/src/stacks/schema.ts";
import {
  expectedVerdicts,
  type Title,
  type TriedKind,
  triedKinds,
} from "../../../scripts/lib/trials/index.ts";
import { type Make, untouched, verdicts } from "../../../scripts/lib/trials/verdicts.ts";
import { construct } from "./every-argument.ts";

const makers: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(registry.map((one) => [one.title, makerOf(one)])),
  team: (name, args, opts) => {
    const parsed = teamFileSchema.parse(args);
    const made = ownTeam(parsed, opts);
    const people = keysOf(parsed.people, { people: Object.keys(parsed.people) });
    const authorizedKeys = [...people, ...containerBase.authorizedKeys];
    const container = { ...containerBase, namespace: parsed.namespace, authorizedKeys };
    construct("DevContainer", name, container, { ...opts, dependsOn: made });
  },
};

/** A template that a component gives out has to be in a workload. */
function makerOf({ title, template }: Pick<Descriptor, "template"> & { readonly title: Title }): Make {
  return (name, args, opts) => {
    const made = construct(title, name, args, opts);
    if (template === undefined) return;
    const { podTemplate } = made as { podTemplate?: unknown };
    const spec = { selector: { matchLabels: { app: "a" } }, template: podTemplate as never };
    new k8s.apps.v1.Deployment(name, { metadata: { name, namespace: args.namespace as string }, spec }, opts);
  };
}

export const triedNames: readonly string[] = [...triedKinds.keys()];

/** @param every how many trials one stands for */
export async function doesWhatIsSaid(kind: string, every = 1): Promise<void> {
  const { trials: all, base, ...one }: TriedKind = triedKinds.get(kind) as TriedKind;
  const trials = Object.fromEntries(Object.entries(all).filter((_, index) => index % every === 0));
  expect(await verdicts(trials, makers[kind] as Make, base)).toEqual({
    [untouched]: "unchanged",
    ...expectedVerdicts({ ...one, trials }),
  });
}
