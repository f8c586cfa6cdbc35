import type { Args, FieldEdits } from "./edit.ts";

/** Edits of what queues, costs and cloud identities look for, on the pods of each component that has them. */
export const podMetadataEdits = (from: Args = {}): FieldEdits => ({
  podLabels: { from, value: { "kueue.x-k8s.io/queue-name": "team-a" }, verdict: "restarts" },
  podAnnotations: { from, value: { "cost-center": "4711" }, verdict: "restarts" },
});
