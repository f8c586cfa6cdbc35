import type { FieldEdits } from "./edit.ts";

/** Edits of a LoadBalancer's fields that mean the same whatever stands behind it. */
export const loadBalancerEdits: FieldEdits = {
  "loadBalancer.preset": { to: { loadBalancer: { preset: "aws-nlb" } } },
  "loadBalancer.annotations": {
    to: { loadBalancer: { annotations: { "example.com/team": "a" } } },
  },
  "loadBalancer.address": { to: { loadBalancer: { address: "192.0.2.8" } } },
  "loadBalancer.className": { to: { loadBalancer: { className: "other" } } },
};
