import type { Args, Trials } from "../kit/trials.fixture.ts";
import type { podMetadata, subjectsSchema } from "./args.ts";

/** Of what queues, costs and cloud identities look for, on the pods of each component that has them. */
export const podMetadataTrials = (from: Args = {}) =>
  ({
    podLabels: { from, value: { "kueue.x-k8s.io/queue-name": "team-a" }, verdict: "restarts" },
    podAnnotations: { from, value: { "cost-center": "4711" }, verdict: "restarts" },
  }) satisfies Trials<typeof podMetadata>;

/** The keys of these maps are in an order that no plugin keeps. */
export const labels = { "example.com/team": "a", "example.com/app": "b" };
export const podMaps = { podLabels: labels, podAnnotations: labels, scheduling: { nodeSelector: labels } };

/** @param from a component that lets in the group "all" */
export const subjectsTrials = (from: Args) =>
  ({
    users: { from, value: ["alice"] },
    groups: { from, value: ["all", "team-a"], verdict: "harmless gains" },
  }) satisfies Trials<typeof subjectsSchema>;
