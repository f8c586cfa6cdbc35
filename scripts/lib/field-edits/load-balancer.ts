import type { FieldEdit, FieldEdits } from "./edit.ts";

/** Edits of a LoadBalancer's fields that mean the same whatever stands behind it. */
export const loadBalancerEdits: FieldEdits = {
  "loadBalancer.preset": { value: "aws-nlb" },
  "loadBalancer.annotations": { value: { team: "a" } },
  "loadBalancer.address": { value: "192.0.2.8" },
  "loadBalancer.className": { value: "other" },
};

/** Each limit of what comes from one client, edited alike. */
export const connectionLimitsEdits = (edit: FieldEdit): FieldEdits =>
  Object.fromEntries(
    ["perClient", "perClientAndContainer"].flatMap((client) =>
      ["connectionsPerMinute", "burst"].map((rate) => [`connectionLimits.${client}.${rate}`, edit]),
    ),
  );
