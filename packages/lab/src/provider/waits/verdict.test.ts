import { expect, test } from "vitest";
import type { KubeObject } from "../kubernetes/object.ts";
import type { JsonMap } from "../values/property.ts";
import { VERDICTS } from "./verdict.ts";

function verdict(type: string, spec: JsonMap, status: JsonMap) {
  const parts = type.split("/");
  const object: KubeObject = {
    apiVersion: parts.slice(0, -1).join("/"),
    kind: parts.at(-1)!,
    metadata: { name: "x", generation: 2 },
    spec,
    status: { observedGeneration: 2, ...status },
  };
  return VERDICTS[type]!(object);
}
const READY = { is: "ready" };
const waiting = (what: string) => ({ is: "waiting", for: what });

test.each([
  [
    {},
    { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 1, replicas: 1 },
    waiting("the new generation to be seen"),
  ],
  [{}, {}, waiting("new pods (0 of 1 made)")],
  [
    { replicas: 2 },
    { updatedReplicas: 2, replicas: 3, availableReplicas: 3 },
    waiting("old pods to end (1 left)"),
  ],
  [
    { replicas: 2 },
    { updatedReplicas: 2, replicas: 2, availableReplicas: 1 },
    waiting("pods to become available (1 of 2)"),
  ],
  [{ replicas: 2 }, { updatedReplicas: 2, replicas: 2, availableReplicas: 2 }, READY],
  [{ replicas: 0 }, {}, READY],
])("a Deployment with %j and %j", (spec, status, expected) => {
  expect(verdict("apps/v1/Deployment", spec, status)).toEqual(expected);
});

test.each([
  [{}, { readyReplicas: 1, updatedReplicas: 0 }, waiting("new pods (0 of 1 made)")],
  [{}, { updatedReplicas: 1 }, waiting("pods to become ready (0 of 1)")],
  [
    {},
    { readyReplicas: 1, updatedReplicas: 1, currentRevision: "a", updateRevision: "b" },
    waiting("the new revision to be current"),
  ],
  [{}, { readyReplicas: 1, updatedReplicas: 1, currentRevision: "b", updateRevision: "b" }, READY],
  [
    { updateStrategy: { type: "OnDelete" } },
    { readyReplicas: 1, currentRevision: "a", updateRevision: "b" },
    READY,
  ],
  [{ replicas: 0 }, { currentRevision: "a", updateRevision: "b" }, READY],
])("a StatefulSet with %j and %j", (spec, status, expected) => {
  expect(verdict("apps/v1/StatefulSet", spec, status)).toEqual(expected);
});

test.each([
  [{ desiredNumberScheduled: 2, updatedNumberScheduled: 1 }, waiting("new pods (1 of 2 made)")],
  [
    { desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 },
    waiting("pods to become available (1 of 2)"),
  ],
  [{ desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 }, READY],
])("a DaemonSet with %j", (status, expected) => {
  expect(verdict("apps/v1/DaemonSet", {}, status)).toEqual(expected);
});

test.each([
  [{}, { succeeded: 0 }, waiting("completions (0 of 1)")],
  [{}, { conditions: [{ type: "Complete", status: "True" }] }, READY],
  [{ suspend: true }, {}, READY],
  [
    {},
    {
      conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded", message: "too often" }],
    },
    { is: "failed", why: "BackoffLimitExceeded: too often" },
  ],
])("a Job with %j and %j", (spec, status, expected) => {
  expect(verdict("batch/v1/Job", spec, status)).toEqual(expected);
});

test.each([
  [{ phase: "Pending" }, waiting("the pod to become ready (Pending)")],
  [
    { phase: "Running", conditions: [{ type: "Ready", status: "False" }] },
    waiting("the pod to become ready (Running)"),
  ],
  [{ phase: "Running", conditions: [{ type: "Ready", status: "True" }] }, READY],
  [{ phase: "Succeeded" }, READY],
  [
    { phase: "Failed", reason: "Evicted" },
    { is: "failed", why: "Evicted" },
  ],
])("a Pod with %j", (status, expected) => {
  expect(verdict("v1/Pod", {}, status)).toEqual(expected);
});
