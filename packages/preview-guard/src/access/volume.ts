/** Claims, and the volumes or data that they refer to. */
import { at } from "../finding.ts";
import type { Inputs, ObjectPair } from "../objects.ts";
import { crosses, type Effect } from "./effect.ts";

export function claimDeciding(inputs: Inputs): Record<string, unknown> {
  const { volumeName, dataSource, dataSourceRef, selector } = (inputs.spec ?? {}) as Record<string, unknown>;
  return { volumeName, dataSource, dataSourceRef, selector };
}

export function claimEffects({ before, after }: ObjectPair): Effect[] {
  const known = claimLeads(before);
  return claimLeads(after)
    .filter((text) => !known.includes(text))
    .map((text) => crosses("volume-borrowed", text));
}

/** Fields of a claim that refer to an existing volume or data. */
export function claimLeads(inputs: Inputs | undefined): string[] {
  return [
    ...["volumeName", "selector"].flatMap((field) =>
      at(inputs, "spec", field) === undefined
        ? []
        : [`it takes a volume of the cluster's by ${field} ${JSON.stringify(at(inputs, "spec", field))}`],
    ),
    ...["dataSource", "dataSourceRef"].flatMap((field) =>
      at(inputs, "spec", field) === undefined
        ? []
        : [`it begins with the data of ${JSON.stringify(at(inputs, "spec", field))}`],
    ),
  ];
}
