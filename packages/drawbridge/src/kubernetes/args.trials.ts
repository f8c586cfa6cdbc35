import { type Args, below, type Trials } from "../kit/trials.fixture.ts";
import type { podSchema, subjectsSchema } from "./args.ts";

/** Of what queues, costs, cloud identities and registries look for, on the pods of each component that has them. */
export const podTrials = (from: Args = {}) =>
  below("pod", {
    labels: { from, value: { "kueue.x-k8s.io/queue-name": "team-a" }, verdict: "restarts" },
    annotations: { from, value: { "cost-center": "4711" }, verdict: "restarts" },
    imagePullSecrets: { from, value: ["registry"], verdict: "restarts" },
  } satisfies Trials<typeof podSchema>);

/** The keys of these maps are in an order that no plugin keeps. */
export const labels = { "example.com/team": "a", "example.com/app": "b" };
export const podMaps = { pod: { labels, annotations: labels }, scheduling: { nodeSelector: labels } };

/** @param from a component that lets in the group "all" */
export const subjectsTrials = (from: Args) =>
  ({
    users: { from, value: ["alice"] },
    groups: { from, value: ["all", "team-a"], verdict: "harmless gains" },
  }) satisfies Trials<typeof subjectsSchema>;
